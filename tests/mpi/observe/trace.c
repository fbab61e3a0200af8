/* trace [ROUNDS]: messages of which each carries the number of the call that sent it. Each rank prints, for
 * each message, the number of the call that completed its receipt: "got RANK CALL FROM SENT". Calls are
 * numbered from 0, behind MPI_Init. There are as many as ROUNDS of the first kind. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64 };

struct message {
    int rank, call;
};

static int me, n, calls, next, before;

#define COMM MPI_COMM_WORLD
#define CALL(call) (calls++, call)
#define MESSAGE(to) &to, 2, MPI_INT

static struct message own(void) {
    return (struct message){me, calls};
}

static void got(const struct message *m) {
    printf("got %d %d %d %d\n", me, calls - 1, m->rank, m->call);
}

static void send(int to, int tag) {
    struct message m = own();
    CALL(MPI_Send(MESSAGE(m), to, tag, COMM));
}

static void any(void) {
    struct message m;
    send(next, 1);
    CALL(MPI_Recv(MESSAGE(m), MPI_ANY_SOURCE, MPI_ANY_TAG, COMM, MPI_STATUS_IGNORE));
    got(&m);
}

/* Receives of any tag, completed together. */
static void together(void) {
    struct message in[2], out[2];
    MPI_Request request[4];
    for (int i = 0; i < 2; i++)
        CALL(MPI_Irecv(MESSAGE(in[i]), before, MPI_ANY_TAG, COMM, &request[i]));
    for (int i = 0; i < 2; i++) {
        out[i] = own();
        CALL(MPI_Isend(MESSAGE(out[i]), next, 5 + i, COMM, &request[2 + i]));
    }
    CALL(MPI_Waitall(4, request, MPI_STATUSES_IGNORE));
    got(&in[0]);
    got(&in[1]);
}

/* Receives that are completed in another order than they were asked for. */
static void turned(void) {
    struct message in[2];
    MPI_Request request[2];
    for (int i = 0; i < 2; i++)
        CALL(MPI_Irecv(MESSAGE(in[i]), before, 7, COMM, &request[i]));
    send(next, 7);
    send(next, 7);
    CALL(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
    got(&in[1]);
    CALL(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    got(&in[0]);
}

static void persistent(void) {
    struct message in, out;
    MPI_Request request[2];
    CALL(MPI_Recv_init(MESSAGE(in), before, 8, COMM, &request[0]));
    CALL(MPI_Send_init(MESSAGE(out), next, 8, COMM, &request[1]));
    for (int i = 0; i < 3; i++) {
        CALL(MPI_Start(&request[0]));
        out = own();
        CALL(MPI_Start(&request[1]));
        CALL(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
        got(&in);
        CALL(MPI_Wait(&request[1], MPI_STATUS_IGNORE));
    }
    CALL(MPI_Request_free(&request[0]));
    CALL(MPI_Request_free(&request[1]));
}

static void exchange(void) {
    struct message in, out = own();
    CALL(MPI_Sendrecv(MESSAGE(out), next, 9, MESSAGE(in), before, 9, COMM, MPI_STATUS_IGNORE));
    got(&in);
}

static void probe(void) {
    struct message m;
    send(next, 10);
    CALL(MPI_Probe(before, 10, COMM, MPI_STATUS_IGNORE)); /* probe */
    CALL(MPI_Recv(MESSAGE(m), before, 10, COMM, MPI_STATUS_IGNORE));
    got(&m);
}

static void poll(void) {
    struct message m;
    MPI_Request request;
    int flag = 0;
    CALL(MPI_Irecv(MESSAGE(m), before, 11, COMM, &request));
    send(next, 11);
    while (!flag)
        CALL(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    got(&m);
}

/* Messages that are matched before they are received, the first one after the second one. */
static void matched(void) {
    struct message m[3];
    MPI_Message message;
    MPI_Request request;
    int flag = 0;
    for (int i = 0; i < 3; i++)
        send(next, 12);
    CALL(MPI_Mprobe(MPI_ANY_SOURCE, 12, COMM, &message, MPI_STATUS_IGNORE));
    CALL(MPI_Recv(MESSAGE(m[1]), before, 12, COMM, MPI_STATUS_IGNORE));
    got(&m[1]);
    CALL(MPI_Mrecv(MESSAGE(m[0]), &message, MPI_STATUS_IGNORE));
    got(&m[0]);
    while (!flag)
        CALL(MPI_Improbe(before, MPI_ANY_TAG, COMM, &flag, &message, MPI_STATUS_IGNORE));
    CALL(MPI_Imrecv(MESSAGE(m[2]), &message, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    got(&m[2]);
}

/* Rank 0 takes the messages of all others as they come, of a communicator of its own. */
static void gather(void) {
    struct message m[MOST];
    MPI_Request request[MOST];
    MPI_Comm comm;
    CALL(MPI_Comm_dup(COMM, &comm));
    if (me) {
        m[0] = own();
        CALL(MPI_Send(MESSAGE(m[0]), 0, 1, comm));
    }
    for (int i = 0; !me && i < n - 1; i++)
        CALL(MPI_Irecv(MESSAGE(m[i]), MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request[i]));
    for (int i = 0, k; !me && i < n - 1; i++) {
        CALL(MPI_Waitany(n - 1, request, &k, MPI_STATUS_IGNORE));
        got(&m[k]);
    }
    CALL(MPI_Comm_free(&comm));
}

/* Rank 1 comes late. */
static void late(void) {
    struct timespec time = {0, 30000000};
    int sum = 1;
    CALL(MPI_Barrier(COMM));
    if (me == 1)
        nanosleep(&time, NULL);
    printf("late %d %d\n", me, calls);
    CALL(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, COMM));
}

/* It comes late to a collective for which the others wait in a call of its own. */
static void later(void) {
    struct timespec time = {0, 30000000};
    MPI_Request request;
    CALL(MPI_Barrier(COMM));
    if (me == 1)
        nanosleep(&time, NULL);
    printf("later %d %d\n", me, calls);
    CALL(MPI_Ibarrier(COMM, &request));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    CALL(MPI_Comm_rank(COMM, &me));
    CALL(MPI_Comm_size(COMM, &n));
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1); i++)
        any();
    together();
    turned();
    persistent();
    exchange();
    probe();
    poll();
    matched();
    gather();
    late();
    later();
    return MPI_Finalize();
}

/* Threads of a rank that send and receive at the same time. */

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

enum { ROUNDS = 300, LONG = 300 * 1000, LONGS = 12 };

static int other(void) {
    return me ^ 1;
}

/* ---- to and fro -------------------------------------------------------------------------------------- */

static void pass(MPI_Comm comm, int tag, int round) {
    int out = round * 1000 + tag, in = -1;
    MPI_Status status;
    if (me % 2) {
        GOOD(MPI_Recv(&in, 1, MPI_INT, other(), tag, comm, &status));
        CHECK(in == out && status.MPI_SOURCE == other() && status.MPI_TAG == tag);
        GOOD(MPI_Send(&out, 1, MPI_INT, other(), tag, comm));
    } else {
        GOOD(MPI_Send(&out, 1, MPI_INT, other(), tag, comm));
        GOOD(MPI_Recv(&in, 1, MPI_INT, other(), tag, comm, &status));
        CHECK(in == out && status.MPI_SOURCE == other() && status.MPI_TAG == tag);
    }
}

static void in_own_communicator(const struct thread *thread) {
    for (int i = 0; i < ROUNDS; i++)
        pass(thread->comm, 7, i);
}

static void in_one_communicator(const struct thread *thread) {
    for (int i = 0; i < ROUNDS; i++)
        pass(MPI_COMM_WORLD, thread->number, i);
}

/* ---- long messages ----------------------------------------------------------------------------------- */

static void long_ones(const struct thread *thread) {
    int *out = malloc(LONG * sizeof *out), *in = malloc(LONG * sizeof *in);
    CHECK(out && in);
    for (int i = 0; i < LONGS; i++) {
        int count = i % 3 == 2 ? 100 : LONG >> i % 3;
        for (int k = 0; k < count; k++)
            out[k] = k + i + thread->number;
        memset(in, 0, LONG * sizeof *in);
        if (i % 2) {
            GOOD(MPI_Sendrecv(out, count, MPI_INT, other(), thread->number, in, LONG, MPI_INT, other(),
                              thread->number, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            MPI_Request request[2];
            GOOD(MPI_Irecv(in, LONG, MPI_INT, other(), thread->number, MPI_COMM_WORLD, &request[0]));
            GOOD(MPI_Isend(out, count, MPI_INT, other(), thread->number, MPI_COMM_WORLD, &request[1]));
            GOOD(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
        }
        for (int k = 0; k < count; k++)
            CHECK(in[k] == out[k]);
    }
    free(out);
    free(in);
}

/* ---- wildcards --------------------------------------------------------------------------------------- */

/* Each thread sends as many as it receives, and whichever thread gets a message, all come once. */
static int got[ROUNDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void record(int number) {
    CHECK(number >= 0 && number < ROUNDS);
    pthread_mutex_lock(&lock);
    got[number]++;
    pthread_mutex_unlock(&lock);
}

static void by_wildcards(const struct thread *thread) {
    for (int i = 0; i < ROUNDS; i++) {
        int in = -1;
        GOOD(MPI_Send(&i, 1, MPI_INT, other(), 1 + thread->number, MPI_COMM_WORLD));
        if (i % 3 == 0) {
            GOOD(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            MPI_Message message;
            MPI_Status status;
            int flag = i % 3 == 1;
            if (flag)
                GOOD(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status));
            while (!flag)
                GOOD(MPI_Improbe(other(), MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
            CHECK(status.MPI_SOURCE == other());
            GOOD(MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
        }
        record(in);
    }
}

/* ---- one waits, another one works -------------------------------------------------------------------- */

static double used(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The first thread waits for a message that the second one of this very rank sends at the end; the second one
 * passes messages meanwhile, the third one does not call MPI, the fourth waits in MPI_Probe. */
static void one_waits(const struct thread *thread) {
    int in = 0, out = 77;
    double began = used();
    if (thread->number == 0) {
        GOOD(MPI_Recv(&in, 1, MPI_INT, me, 500, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(in == 77);
    } else if (thread->number == 1) {
        for (int i = 0; i < ROUNDS; i++)
            pass(MPI_COMM_WORLD, 3, i);
        usleep(500 * 1000);
        GOOD(MPI_Send(&out, 1, MPI_INT, me, 500, MPI_COMM_WORLD));
        GOOD(MPI_Send(&out, 1, MPI_INT, me, 501, MPI_COMM_WORLD));
        return;
    } else if (thread->number == 2) {
        usleep(100 * 1000);
    } else {
        GOOD(MPI_Probe(MPI_ANY_SOURCE, 501, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        GOOD(MPI_Recv(&in, 1, MPI_INT, me, 501, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    CHECK(used() - began < 0.2);
}

/* ---- requests ---------------------------------------------------------------------------------------- */

static void wait_any(const struct thread *thread) {
    enum { REQUESTS = 8 };
    MPI_Request request[REQUESTS];
    int in[REQUESTS], seen = 0, which;
    for (int round = 0; round < ROUNDS / 10; round++) {
        for (int i = 0; i < REQUESTS; i++)
            GOOD(MPI_Irecv(&in[i], 1, MPI_INT, other(), i, thread->comm, &request[i]));
        for (int i = REQUESTS; i-- > 0;)
            GOOD(MPI_Send(&i, 1, MPI_INT, other(), i, thread->comm));
        seen = 0;
        for (int i = 0; i < REQUESTS; i++) {
            GOOD(MPI_Waitany(REQUESTS, request, &which, MPI_STATUS_IGNORE));
            CHECK(which >= 0 && which < REQUESTS && in[which] == which);
            seen |= 1 << which;
        }
        CHECK(seen == (1 << REQUESTS) - 1);
    }
}

/* A request that the thread 0 has begun, thread 1 completes; likewise one of the program's own. */
static MPI_Request handed, own;
static pthread_barrier_t meeting;
static int from_handed;

static int query(void *state, MPI_Status *status) {
    int rank;
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank)); /* called back, while the rank is this thread's */
    CHECK(rank == me && state == NULL);
    GOOD(MPI_Status_set_elements(status, MPI_INT, 3));
    GOOD(MPI_Status_set_cancelled(status, 0));
    return MPI_SUCCESS;
}
static int freed(void *state) {
    return state ? MPI_ERR_OTHER : MPI_SUCCESS;
}
static int cancelled(void *state, int complete) {
    return state || complete ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void hand_over(const struct thread *thread) {
    MPI_Status status;
    int count;
    if (thread->number == 0) {
        GOOD(MPI_Irecv(&from_handed, 1, MPI_INT, other(), 9, MPI_COMM_WORLD, &handed));
        GOOD(MPI_Grequest_start(query, freed, cancelled, NULL, &own));
    }
    pthread_barrier_wait(&meeting);
    if (thread->number == 1) {
        GOOD(MPI_Wait(&handed, MPI_STATUS_IGNORE));
        CHECK(from_handed == 41);
        GOOD(MPI_Wait(&own, &status));
        GOOD(MPI_Get_count(&status, MPI_INT, &count));
        CHECK(count == 3);
    } else {
        int out = 41;
        MPI_Request completed = own; /* a copy, since the other one clears it */
        usleep(20 * 1000);
        GOOD(MPI_Send(&out, 1, MPI_INT, other(), 9, MPI_COMM_WORLD));
        usleep(20 * 1000);
        GOOD(MPI_Grequest_complete(completed));
    }
}

int main(int argc, char **argv) {
    begin(&argc, &argv, MPI_THREAD_MULTIPLE);
    CHECK(n % 2 == 0);
    for (int threads = 1; threads <= 8; threads *= 2) {
        let_work(threads, in_own_communicator);
        let_work(threads, in_one_communicator);
    }
    let_work(3, long_ones);
    let_work(4, by_wildcards);
    for (int i = 0; i < ROUNDS; i++)
        CHECK(got[i] == 4);
    let_work(4, one_waits);
    let_work(4, wait_any);
    CHECK(pthread_barrier_init(&meeting, NULL, 2) == 0);
    let_work(2, hand_over);
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}

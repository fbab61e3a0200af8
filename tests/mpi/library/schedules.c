/* Nonblocking collectives one by one: those that combine more data than one round of messages is good for, to
 * every root; blocks that are longer than their receiver expects; and one that goes on while its rank looks
 * for something else. */

#include "mpi_check.h"

#include <unistd.h>

enum {
    COUNT = 5001, /* int: more than 16 KB, and no two ranks' parts alike */
    SHORT = 3,
    LONG = 700,
    APART = LONG + 1, /* so many elements lie the rooms for two ranks */
    MOST = 8,         /* ranks */
};

static int rank, size;

static int element(int of, int i) {
    return (of + 1) * 1000 + i;
}

static int sum(int i) {
    int all = 0;
    for (int r = 0; r < size; r++)
        all += element(r, i);
    return all;
}

/* Reduce to one root after the other, and to all ranks. */
static void large_sums(void) {
    static int in[COUNT], out[COUNT];
    MPI_Request request;
    for (int i = 0; i < COUNT; i++)
        in[i] = element(rank, i);
    for (int root = 0; root <= size; root++) {
        for (int i = 0; i < COUNT; i++)
            out[i] = -1;
        if (root < size)
            GOOD(MPI_Ireduce(in, out, COUNT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD, &request));
        else
            GOOD(MPI_Iallreduce(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request));
        GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
        for (int i = 0; i < COUNT; i++)
            CHECK(out[i] == (root == rank || root == size ? sum(i) : -1));
    }
}

/* Rank 0 has room for fewer elements than the last rank sends: that is an error there, and nowhere else, and
 * nothing is written behind the room. `sent`: of every rank. */
static void too_long(int sent) {
    static int in[LONG], out[APART * MOST];
    int counts[MOST], places[MOST], error;
    MPI_Request request;
    for (int i = 0; i < LONG; i++)
        in[i] = element(rank, i);
    for (int i = 0; i < APART * MOST; i++)
        out[i] = -1;
    for (int r = 0; r < size; r++) {
        counts[r] = r == size - 1 ? sent - 1 : sent;
        places[r] = r * APART;
    }
    GOOD(MPI_Igatherv(in, sent, MPI_INT, out, counts, places, MPI_INT, 0, MPI_COMM_WORLD, &request));
    error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(error == (rank == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
    CHECK(request == MPI_REQUEST_NULL);
    for (int r = 0; rank == 0 && r < size; r++) {
        CHECK(r == size - 1 || out[r * APART + counts[r] - 1] == element(r, counts[r] - 1));
        CHECK(out[r * APART + counts[r]] == -1);
    }
    /* the next one is in order again */
    GOOD(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* The ways in which a rank looks for a message of the last one. */
enum look { BY_IPROBE, BY_IMPROBE, BY_TEST, BY_TESTALL, BY_STATUS, LOOKS };

static int looks(enum look look, MPI_Request *request) {
    MPI_Message message;
    int flag, source = size - 1;
    if (look == BY_IPROBE) {
        GOOD(MPI_Iprobe(source, look, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    } else if (look == BY_IMPROBE) {
        GOOD(MPI_Improbe(source, look, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE));
        if (flag)
            GOOD(MPI_Mrecv(NULL, 0, MPI_INT, &message, MPI_STATUS_IGNORE));
    } else if (look == BY_TEST) {
        GOOD(MPI_Test(request, &flag, MPI_STATUS_IGNORE));
    } else if (look == BY_TESTALL) {
        GOOD(MPI_Testall(1, request, &flag, MPI_STATUSES_IGNORE));
    } else {
        GOOD(MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE));
    }
    return flag;
}

/* Rank 0 begins a barrier, and looks for what the last one sends it behind that barrier. The others come when
 * it looks already: they wait until it goes on with the barrier, which takes more than one message. */
static void while_looking(enum look look) {
    MPI_Request barrier, receive = MPI_REQUEST_NULL;
    if (rank)
        usleep(2000);
    GOOD(MPI_Ibarrier(MPI_COMM_WORLD, &barrier));
    if (rank == 0 && look != BY_IMPROBE && look != BY_IPROBE)
        GOOD(MPI_Irecv(NULL, 0, MPI_INT, size - 1, look, MPI_COMM_WORLD, &receive));
    while (rank == 0 && !looks(look, &receive))
        ;
    if (rank == 0 && look == BY_IPROBE)
        GOOD(MPI_Recv(NULL, 0, MPI_INT, size - 1, look, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    GOOD(MPI_Wait(&receive, MPI_STATUS_IGNORE));
    GOOD(MPI_Wait(&barrier, MPI_STATUS_IGNORE));
    if (rank == size - 1)
        GOOD(MPI_Send(NULL, 0, MPI_INT, 0, look, MPI_COMM_WORLD));
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(size > 1 && size <= MOST);
    large_sums();
    for (enum look look = BY_IPROBE; look < LOOKS; look++)
        while_looking(look);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    too_long(SHORT);
    too_long(LONG);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}

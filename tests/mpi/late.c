/* A rank that has waited long for data that came without a meeting goes on as others do. Rank 1 gives rank 0
 * data by a scan, in which it waits for nobody, and then waits for rank 2, which waits for rank 0. Rank 0 has
 * been asleep, and does not wake before both have happened: rank 1 stops its process, and rank 2 lets it go
 * on. If rank 0 took the second for data that it has already had from rank 1, it would wait until rank 1 has
 * finished, and all three would wait for ever. */

#define _GNU_SOURCE
#include "library/mpi_check.h"

#include <signal.h>
#include <unistd.h>

enum {
    ROUNDS = 5,
    TAG = 1,
    ASLEEP_US =
        10 * 1000, /* by then a rank that waits sleeps, one that is stopped stands, and a word has come */
    MEETINGS = 8,  /* more than a rank's posts stay for */
};

static MPI_Comm pair(int rank, int without) {
    MPI_Comm made;
    GOOD(MPI_Comm_split(MPI_COMM_WORLD, rank == without ? MPI_UNDEFINED : 0, -rank, &made));
    return made;
}

static void meet(MPI_Comm comm) {
    for (int i = 0; i < MEETINGS; i++)
        GOOD(MPI_Barrier(comm));
}

/* first: rank 1, and then rank 0. Returns what both have together, at rank 0. */
static int scanned(MPI_Comm first, int number) {
    int sum;
    GOOD(MPI_Scan(&number, &sum, 1, MPI_INT, MPI_SUM, first));
    return sum;
}

int main(int argc, char **argv) {
    int rank, size, sleeper;
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(size == 3);
    MPI_Comm first = pair(rank, 2), last = pair(rank, 0), outer = pair(rank, 1);
    sleeper = (int)getpid();
    GOOD(MPI_Bcast(&sleeper, 1, MPI_INT, 0, MPI_COMM_WORLD));
    for (int i = 0; i < ROUNDS; i++) {
        GOOD(MPI_Barrier(MPI_COMM_WORLD));
        if (rank == 0) {
            CHECK(scanned(first, i) == i + 100);
            meet(outer);
        } else if (rank == 1) {
            usleep(ASLEEP_US);
            CHECK(kill(sleeper, SIGSTOP) == 0);
            usleep(ASLEEP_US);
            scanned(first, 100);
            GOOD(MPI_Send(NULL, 0, MPI_INT, 2, TAG, MPI_COMM_WORLD));
            GOOD(MPI_Barrier(last));
        } else {
            GOOD(MPI_Recv(NULL, 0, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            usleep(ASLEEP_US);
            CHECK(kill(sleeper, SIGCONT) == 0);
            meet(outer);
            GOOD(MPI_Barrier(last));
        }
    }
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}

/* The calls that are allowed in a thread that is not the rank's, and before MPI_Init. */

#include "mpi_check.h"

#include <pthread.h>

static void *ask(void *unused) {
    int flag;
    GOOD(MPI_Initialized(&flag));
    CHECK(flag);
    GOOD(MPI_Finalized(&flag));
    CHECK(!flag);
    GOOD(MPI_Query_thread(&flag));
    CHECK(flag == MPI_THREAD_FUNNELED);
    GOOD(MPI_Is_thread_main(&flag));
    CHECK(!flag);
    return unused;
}

int main(int argc, char **argv) {
    pthread_t thread;
    int flag;
    CHECK(MPI_Initialized(NULL) == MPI_ERR_ARG);
    GOOD(MPI_Initialized(&flag));
    CHECK(!flag);
    GOOD(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &flag));
    CHECK(flag == MPI_THREAD_FUNNELED);
    CHECK(pthread_create(&thread, NULL, ask, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    GOOD(MPI_Is_thread_main(&flag));
    CHECK(flag);
    GOOD(MPI_Finalize());
    GOOD(MPI_Finalized(&flag));
    CHECK(flag);
    return EXIT_SUCCESS;
}

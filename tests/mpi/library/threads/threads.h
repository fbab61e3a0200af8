/* The threads of a rank, each with a number, that the programs of this folder share. */

#ifndef MPI_TEST_THREADS_H
#define MPI_TEST_THREADS_H

#include <pthread.h>

#include "mpi_check.h"

enum { MOST_THREADS = 16 };

struct thread {
    pthread_t id;
    int number;
    MPI_Comm comm; /* its own */
    void (*work)(const struct thread *thread);
};

static int me, n;

static void begin(int *argc, char ***argv, int level) {
    int provided;
    GOOD(MPI_Init_thread(argc, argv, level, &provided));
    CHECK(provided == level);
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &me));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &n));
}

static void *start(void *argument) {
    const struct thread *thread = argument;
    thread->work(thread);
    return NULL;
}

/* Let so many threads work, each with a communicator of its own, and this one wait for them. */
static void let_work(int threads, void (*work)(const struct thread *thread)) {
    struct thread thread[MOST_THREADS];
    for (int t = 0; t < threads; t++) {
        thread[t] = (struct thread){.number = t, .work = work};
        GOOD(MPI_Comm_dup(MPI_COMM_WORLD, &thread[t].comm));
    }
    for (int t = 0; t < threads; t++)
        CHECK(pthread_create(&thread[t].id, NULL, start, &thread[t]) == 0);
    for (int t = 0; t < threads; t++)
        CHECK(pthread_join(thread[t].id, NULL) == 0);
    for (int t = 0; t < threads; t++)
        GOOD(MPI_Comm_free(&thread[t].comm));
}

#endif

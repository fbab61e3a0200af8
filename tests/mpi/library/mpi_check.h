/* Macros that the programs of these tests share. */

#ifndef MPI_CHECK_H
#define MPI_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            int check_rank = -1, check_begun = 0, check_ended = 0;                                           \
            MPI_Initialized(&check_begun);                                                                   \
            MPI_Finalized(&check_ended);                                                                     \
            if (check_begun && !check_ended)                                                                 \
                MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);                                                  \
            fprintf(stderr, "%s:%d: rank %d: %s does not hold\n", __FILE__, __LINE__, check_rank,            \
                    #condition);                                                                             \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

#define GOOD(call) CHECK((call) == MPI_SUCCESS)

/* Return the number of ranks on this rank's node, as unisono run tells it. */
static inline int ranks_here(void) {
    const char *told = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    int n;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return told ? atoi(told) : n;
}

/* Return 1 if the ranks are on several nodes. */
static inline int nodes_apart(void) {
    int n;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    return ranks_here() < n;
}

#endif

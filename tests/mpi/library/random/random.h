/* Random MPI programs whose results are all known: all ranks make the same plan from the same random numbers,
 * and compare the received values with the expected ones. */

#ifndef RANDOM_H
#define RANDOM_H

#include "../mpi_check.h"
#include "rng.h"

#if MPI_VERSION < 4 /* Open MPI 5's, which has no large forms */
#define MPI_Send_c MPI_Send
#endif

typedef uint32_t word;

enum { MOST_RANKS = 64, UNTOUCHED = 0xdddddddd };

struct world {
    struct rng all; /* the same at every rank of the program */
    uint64_t seed;
    int round;
    MPI_Comm comm;  /* the communicator of this round, to which every rank belongs */
    int rank, size; /* in comm */
};

/* Return the number in element i of the data with this name. */
static inline uint32_t value_of(const struct world *w, int name, int i) {
    struct rng r = rng_for(w->seed, (uint64_t)w->round, (uint64_t)name, (uint64_t)i);
    return (uint32_t)rng_next(&r);
}

static inline struct world world_of(const struct world *w, MPI_Comm comm) {
    struct world made = *w;
    made.comm = comm;
    GOOD(MPI_Comm_rank(comm, &made.rank));
    GOOD(MPI_Comm_size(comm, &made.size));
    return made;
}

/* Run a round of messages, one collective, or several at a time on any of `count` communicators, of which the
 * first has all ranks. */
void messages_round(struct world *w);
void collective_round(struct world *w);
void several_round(const struct world *worlds, int count);

/* Run a program: so many rounds, which belong to `w` and its communicator. folder: where its files go; or
 * NULL, if it shall have none. Several threads of a rank may each run one. */
void program_run(const struct world *w, int rounds, const char *folder);

#endif

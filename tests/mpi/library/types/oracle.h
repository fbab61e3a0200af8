/* Data types with their meaning: each is made by one of MPI's functions, and its type map by the standard's
 * definition, element by element. */

#ifndef ORACLE_H
#define ORACLE_H

#include "../mpi_check.h"
#include "rng.h"

/* A basic element: its displacement, and its index in the table of basic types. */
struct entry {
    MPI_Aint at;
    int basic;
};

struct map {
    int n;
    struct entry *entry;
    MPI_Aint lb, ub;
    int bounded; /* explicit, by the program or in a part */
    int alignment;
};

struct typed {
    MPI_Datatype type;
    struct map map;
};

enum { BASICS = 7, MOST_NUMBERS = 64, MOST_TYPES = 8 };

/* The first PAIRS are pairs of two of the others. */
struct basic {
    MPI_Datatype type;
    int size, alignment;
};
extern const struct basic basics[BASICS];

/* The construction of a type: the numbers of MPI's function in their order, and other types. */
struct recipe {
    int combiner, large, numbers, types;
    MPI_Count number[MOST_NUMBERS];
    struct typed type[MOST_TYPES];
};

struct typed oracle_basic(int i);
struct typed oracle_make(const struct recipe *recipe);

/* Make a random type, nested up to `depth` times. */
struct typed oracle_random(struct rng *r, int depth);

/* Make a type again from the contents that MPI reports, down to the basic types. */
struct typed oracle_again(MPI_Datatype type);

void oracle_free(struct typed *t);

#endif

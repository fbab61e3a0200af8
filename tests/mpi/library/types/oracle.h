/* Data types beside what they mean: each is made by one of MPI's functions, and its type map by the words of
 * the standard, element by element. */

#ifndef ORACLE_H
#define ORACLE_H

#include "../mpi_check.h"
#include "rng.h"

/* A basic element; the place in the table of basic types. */
struct entry {
    MPI_Aint at;
    int basic;
};

struct map {
    int n;
    struct entry *entry;
    MPI_Aint lb, ub;
    int bounded; /* by the program, or in a part */
    int alignment;
};

struct typed {
    MPI_Datatype type;
    struct map map;
};

enum { BASICS = 7, MOST_NUMBERS = 64, MOST_TYPES = 8 };

/* The first PAIRS are of two of the others. */
struct basic {
    MPI_Datatype type;
    int size, alignment;
};
extern const struct basic basics[BASICS];

/* How one is made: the numbers of MPI's function in their order, and other types. */
struct recipe {
    int combiner, large, numbers, types;
    MPI_Count number[MOST_NUMBERS];
    struct typed type[MOST_TYPES];
};

struct typed oracle_basic(int i);
struct typed oracle_make(const struct recipe *recipe);

/* Of some depth. */
struct typed oracle_random(struct rng *r, int depth);

/* What MPI says that a type has been made of, made again, and so on down to the basic types. */
struct typed oracle_again(MPI_Datatype type);

void oracle_free(struct typed *t);

#endif

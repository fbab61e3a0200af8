/* The copy-transfer model of Stricker and Gross (1995), on the memory of this machine: how fast a permutation
 * of a distributed array can be, from how fast the processors load and store by simple patterns.
 * docs/exchange.md explains it. Everything here is in MB/s of a PE, 10^6 bytes, while all PEs do the same. */

#ifndef UNO_MODEL_H
#define UNO_MODEL_H

#include <stdbool.h>
#include <stddef.h>

/* Patterns of access, the subscripts of the model. */
enum uno_access {
    UNO_CONTIGUOUS, /* 1 */
    UNO_STRIDED,    /* k: by a table, with a stride of many lines */
    UNO_INDEXED,    /* w: by a table, anywhere in one PE's part */
    UNO_ANYWHERE,   /* by a table, anywhere in all parts */
    UNO_PATTERNS
};

/* The part of the array that is accessed: the PE's own, or the next PE's. */
enum uno_where { UNO_LOCAL, UNO_REMOTE, UNO_PLACES };

/* The basic rates. UNO_ANYWHERE has one rate, under UNO_LOCAL. */
struct uno_basic {
    double load[UNO_PATTERNS][UNO_PLACES];
    double store[UNO_PATTERNS][UNO_PLACES];
    double pack; /* elements, each with its index, into a buffer for each PE; in bytes of elements */
};

/* The permutations of the paper's Table 2. */
enum uno_permutation { UNO_BLOCK, UNO_TRANSPOSE, UNO_GROUPED, UNO_RANDOM, UNO_PERMUTATIONS };

struct uno_measured {
    struct uno_basic basic;
    double chained[UNO_PERMUTATIONS]; /* in one pass */
    double packed[UNO_PERMUTATIONS];  /* through buffers; 0: there is nothing to pack */
};

/* Measure with n PEs that are threads, each with a part of `words` words of 8 bytes, a power of 2, and keep
 * the least time of so many repetitions. Each permutation is checked, and the process ends with an error if
 * it is wrong. False: memory is short. */
bool uno_model_measure(int n, size_t words, int repetitions, struct uno_measured *measured);

/* Return the rates that the model predicts for n PEs: in one pass, and through buffers. */
double uno_model_chained(const struct uno_basic *basic, int n, enum uno_permutation permutation);
double uno_model_packed(const struct uno_basic *basic, int n, enum uno_permutation permutation);

#endif

/* One collective of a round, in one of three forms: done at once; begun, to be completed later; or made, and
 * started once or more. Its result is compared with that of a loop over all ranks: element i of rank r's data
 * is value_of(r, i). */

#ifndef CALL_H
#define CALL_H

#include "random.h"

#include <stdbool.h>

enum { CALL_RANKS = MOST_RANKS };

enum form { AT_ONCE, BEGUN, MADE, FORMS };

struct call {
    struct world w;
    const struct kind *kind;
    enum form form;
    MPI_Request request; /* NULL for AT_ONCE */
    bool large;          /* the large form of the function, where it takes no arrays */
    int root, n;         /* n: elements of a block */
    bool in_place, own_op;
    MPI_Op op;
    int step; /* words from one element to the next: 1, or 2 for a derived type */
    MPI_Datatype type;
    int count[CALL_RANKS], at[CALL_RANKS]; /* for each rank, where they differ */
    int sent[CALL_RANKS], from[CALL_RANKS];
    MPI_Datatype types[CALL_RANKS];
    int total;
    int words; /* words that fit into each of: */
    word *in, *out;
};

/* A collective: the preparation of each start, its call, and the comparison. */
struct kind {
    bool folds; /* it combines data, of one type at all ranks */
    void (*place)(struct call *c);
    void (*issue)(struct call *c);
    void (*check)(const struct call *c);
};

extern const struct kind moves[], folds[];
extern const int moves_count, folds_count;

/* Prepare a call of a random kind, chosen by the numbers of w->all; the same at all ranks of w->comm. */
void call_prepare(struct call *c, const struct world *w, enum form form);

/* Fill in its data, and do, begin or make it. */
void call_issue(struct call *c);

/* Start a persistent call, with new data. */
void call_start(struct call *c);

/* Compare the data, which are there. */
void call_check(const struct call *c);

/* Free a persistent call. */
void call_end(struct call *c);

/* Macros that the kinds share. */
#define IN(c) ((c)->in_place ? MPI_IN_PLACE : (void *)(c)->in)

/* Call a function in the form of `c`. Arguments: its name, the name without the capital, its arguments
 * without a communicator. */
#define ISSUE_AS(c, now, begun, made, ...)                                                                   \
    do {                                                                                                     \
        if ((c)->form == AT_ONCE)                                                                            \
            GOOD(now(__VA_ARGS__, (c)->w.comm));                                                             \
        else if ((c)->form == BEGUN)                                                                         \
            GOOD(begun(__VA_ARGS__, (c)->w.comm, &(c)->request));                                            \
        else                                                                                                 \
            GOOD(made(__VA_ARGS__, (c)->w.comm, MPI_INFO_NULL, &(c)->request));                              \
    } while (0)
#define ISSUE_SMALL(c, name, small, ...) ISSUE_AS(c, MPI_##name, MPI_I##small, MPI_##name##_init, __VA_ARGS__)
#if MPI_VERSION < 4 /* Open MPI 5's, which has no large forms */
#define ISSUE ISSUE_SMALL
#else
#define ISSUE(c, name, small, ...)                                                                           \
    do {                                                                                                     \
        if ((c)->large)                                                                                      \
            ISSUE_AS(c, MPI_##name##_c, MPI_I##small##_c, MPI_##name##_init_c, __VA_ARGS__);                 \
        else                                                                                                 \
            ISSUE_SMALL(c, name, small, __VA_ARGS__);                                                        \
    } while (0)
#endif

/* Put n elements of this rank's data to their place for MPI_IN_PLACE. */
void call_place(struct call *c, int to, int n);

#endif

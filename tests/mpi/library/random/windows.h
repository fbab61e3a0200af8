/* A window of a random program. Each rank's memory begins with elements that all ranks combine, and goes on
 * with the slices of each origin: access k of an epoch has slice k of its origin to itself, at any target. So
 * all ranks know from the plan alone what every element must become, but for the one for which they compete.
 */

#ifndef WINDOWS_H
#define WINDOWS_H

#include "beside.h"

#include <stdbool.h>

enum { ACCESSES = 6, COMMON = 8 };

enum flavor { ALLOCATED, SHARED_MEMORY, CREATED, DYNAMIC, FLAVORS };

/* SHARE: targets locked one by one, all held until the end; EXCLUDE: each locked for one access. */
enum epoch { NO_EPOCH, FENCE, POST, LOCK_ALL, SHARE, EXCLUDE, EPOCHS };

enum access_kind { PUT, GET, PUT_GET, STORE, COMBINE, FETCH_COMBINE, LOOK, COUNT, SWAP, ACCESS_KINDS };

struct head {
    uint64_t count;          /* counted on by one */
    uint64_t swap;           /* the one that comes first swaps it */
    uint64_t common[COMMON]; /* combined by one operation in an epoch */
};

struct access {
    enum access_kind kind;
    int by, slice, to;
    int n, first;       /* elements, and of those that are combined the first */
    int here, there;    /* words from one element to the next */
    bool asks, settles; /* by a request; completed at once */
    MPI_Request request;
    char *in, *out;
};

struct window {
    struct world w; /* of the epoch, with a copy of the window's communicator */
    MPI_Win win;
    enum flavor flavor;
    int slice, unit; /* elements of a slice; bytes of a displacement */
    size_t bytes;    /* of each rank */
    char *memory;
    MPI_Aint place[MOST_RANKS]; /* of each rank's memory */
    char *model;                /* the memory of each rank as it must be when the epoch has ended, */
    struct head *before;        /* and its head as it was */
    enum epoch epoch;
    int reach, op; /* POST: to which rank each goes, or 0: any */
    int counts[MOST_RANKS], swaps[MOST_RANKS];
    int n; /* accesses of each rank; this one's: */
    struct access mine[ACCESSES];
    bool locked[MOST_RANKS];
};

static inline bool passive(const struct window *v) {
    return v->epoch >= LOCK_ALL;
}

static inline char *model_of(const struct window *v, int rank) {
    return v->model + (size_t)rank * v->bytes;
}

/* Return where in each rank's memory a slice of an origin lies. */
static inline size_t slice_at(const struct window *v, int by, int slice) {
    return sizeof(struct head) + (size_t)((by * ACCESSES + slice) * v->slice * 2) * sizeof(word);
}

/* Return element i of what an access gives. */
uint64_t number_of(const struct window *v, const struct access *a, int i);

/* Draw what every rank does in this epoch, and let the model do it. */
void plan_epoch(struct window *v);

/* Do an access of this rank's, in an epoch; complete it; and compare what it has got. */
void access_issue(struct window *v, struct access *a);
void access_settle(struct window *v, struct access *a);
void access_compare(const struct window *v, const struct access *a);

#endif

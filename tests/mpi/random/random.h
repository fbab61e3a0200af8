/* Random programs of MPI collectives against an oracle that uses no MPI. All ranks walk through the same
 * schedule, which follows from a seed: communicators that are made and freed, a collective on one of them,
 * traffic beside it that stays pending. So every rank knows what everyone puts in, computes what it must
 * receive, and compares. What a rank decides by itself (its derived types, when it completes what is pending)
 * follows from the seed as well. */

#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../rng.h"

/* True if the library has the calls with large counts. Open MPI's header of MPI 3.1 has none. */
#if MPI_VERSION >= 4
#define LARGE_COUNTS 1
#else
#define LARGE_COUNTS 0
#endif

enum { MAX_RANKS = 64, MAX_COMMS = 40, MAX_ERRANDS = 16, MAX_PER = 12, FILL = 0xa5 };

/* The purposes of random numbers. */
enum purpose { STEP = 1, VALUE, AMOUNT, PLACE, LAYOUT, MEMBERS, ERRAND, CELL, PACE };

struct options {
    const char *program;
    uint64_t seed;
    long operations;  /* steps of each thread */
    long churn;       /* communicators that are made and freed, instead of the random program */
    int threads;      /* each walks through a schedule of its own */
    bool rank_order;  /* floating point is combined in rank order, to the bit */
    bool alike;       /* all ranks use the same derived type, as some libraries need */
    bool two_sided;   /* no windows */
    bool accelerated; /* an accelerator is loaded, and must do its part */
    const char *only; /* one collective */
};

/* ---- elements: types.c */

enum family { SIGNED, INTEGER, UNSIGNED, FLOATING, COMPLEX, LOGICAL, BYTES, MOVED, PAIR, COMPOSED };

#define OPERATIONS(X)                                                                                        \
    X(MAX, MPI_MAX, 1 << SIGNED | 1 << INTEGER | 1 << UNSIGNED | 1 << FLOATING)                              \
    X(MIN, MPI_MIN, 1 << SIGNED | 1 << INTEGER | 1 << UNSIGNED | 1 << FLOATING)                              \
    X(SUM, MPI_SUM, 1 << SIGNED | 1 << INTEGER | 1 << UNSIGNED | 1 << FLOATING | 1 << COMPLEX)               \
    X(PROD, MPI_PROD, 1 << SIGNED | 1 << INTEGER | 1 << UNSIGNED | 1 << FLOATING | 1 << COMPLEX)             \
    X(LAND, MPI_LAND, 1 << SIGNED | 1 << UNSIGNED | 1 << LOGICAL)                                            \
    X(LOR, MPI_LOR, 1 << SIGNED | 1 << UNSIGNED | 1 << LOGICAL)                                              \
    X(LXOR, MPI_LXOR, 1 << SIGNED | 1 << UNSIGNED | 1 << LOGICAL)                                            \
    X(BAND, MPI_BAND, 1 << SIGNED | 1 << INTEGER | 1 << UNSIGNED | 1 << BYTES)                               \
    X(BOR, MPI_BOR, 1 << SIGNED | 1 << INTEGER | 1 << UNSIGNED | 1 << BYTES)                                 \
    X(BXOR, MPI_BXOR, 1 << SIGNED | 1 << INTEGER | 1 << UNSIGNED | 1 << BYTES)                               \
    X(MAXLOC, MPI_MAXLOC, 1 << PAIR)                                                                         \
    X(MINLOC, MPI_MINLOC, 1 << PAIR)                                                                         \
    X(FIRST, MPI_OP_NULL, 1 << SIGNED | 1 << FLOATING)                                                       \
    X(LAST, MPI_OP_NULL, 1 << SIGNED | 1 << FLOATING)                                                        \
    X(JOIN, MPI_OP_NULL, 1 << SIGNED | 1 << FLOATING)                                                        \
    X(COMPOSE, MPI_OP_NULL, 1 << COMPOSED)

enum operation {
#define X(name, op, families) OP_##name,
    OPERATIONS(X)
#undef X
        OPERATION_COUNT
};

/* The manner in which elements are drawn, which depends on their later use, so that nothing overflows. */
struct manner {
    enum operation operation; /* OPERATION_COUNT: they are only moved */
    int rank, ranks;
};

struct basic {
    const char *name;
    MPI_Datatype type;
    size_t size; /* from one element to the next */
    enum family family;
    void (*draw)(void *at, uint64_t random, const struct manner *manner);
    void (*fold)(enum operation operation, void *left, const void *right); /* left = left op right */
    bool (*equal)(const void *want, const void *got, long double slack);
    long double (*magnitude)(const void *at);
    long double epsilon;
    unsigned wrong; /* operations that the library does wrong */
};
extern struct basic basics[];
extern const int basic_count;

/* Set up the types, and the operations of this program. */
void types_start(void);
void types_stop(void);
/* Find out whether the library reduces every type as MPI says; combinations that it gets wrong are not
 * tested. */
void operations_try(int me);
MPI_Op operation_handle(enum operation operation, bool large);
const char *operation_name(enum operation operation);
/* Return true if elements of the type may be reduced by the operation. */
bool operation_takes(enum operation operation, const struct basic *basic);

/* ---- derived types: layout.c */

/* The layout of `per` elements of a basic type. */
struct layout {
    MPI_Datatype type;
    const char *kind;
    bool own; /* to be freed */
    int per;
    ptrdiff_t offset[MAX_PER], extent;
};
/* Make a layout whose `per` divides unit. */
void layout_make(struct layout *layout, const struct basic *basic, struct rng *r, int unit);
void layout_plain(struct layout *layout, const struct basic *basic);
void layout_free(struct layout *layout);
static inline ptrdiff_t layout_at(const struct layout *l, long element) {
    return element / l->per * l->extent + l->offset[element % l->per];
}

/* ---- communicators: comms.c */

struct circle {
    bool alive, inter;
    const char *how;          /* it was made */
    int size[2];              /* of the two groups; an intracommunicator has one */
    int member[2][MAX_RANKS]; /* by rank in the group: the rank in the walk */
    int side, rank;           /* of this process; side is -1 if it is no member */
    MPI_Comm comm;
};

/* ---- one thread's walk */

struct errand {
    bool busy;
    int kind, circle;
    long step, due;
    MPI_Request request[2];
    unsigned char *out, *in;
    size_t bytes;
};

struct walk {
    uint64_t seed;
    int me, n;
    long step;
    const struct plan *plan; /* the call in progress; NULL between calls */
    MPI_Comm base;
    struct circle circle[MAX_COMMS];
    struct errand errand[MAX_ERRANDS];
    bool two_sided;
    MPI_Win window;
    int64_t *cell, *cell_want; /* what others put into this process, and what they must have put */
    long done[32];             /* calls of this process, by collective */
    long accelerated[32];      /* those in which the accelerator moved something */
    long calls, made, errands, puts;
};

extern struct options options;

/* Set up the communicators; and make and free some now and then. */
void comms_start(struct walk *w);
void comms_step(struct walk *w);
void comms_stop(struct walk *w);

/* ---- a collective: plan.c, check.c, call.c */

#define COLLECTIVES(X)                                                                                       \
    X(Barrier)                                                                                               \
    X(Bcast)                                                                                                 \
    X(Reduce)                                                                                                \
    X(Allreduce)                                                                                             \
    X(Allgather)                                                                                             \
    X(Allgatherv)                                                                                            \
    X(Gather)                                                                                                \
    X(Gatherv)                                                                                               \
    X(Scatter)                                                                                               \
    X(Scatterv)                                                                                              \
    X(Scan)                                                                                                  \
    X(Exscan)                                                                                                \
    X(Reduce_scatter_block)                                                                                  \
    X(Reduce_scatter)                                                                                        \
    X(Alltoall)                                                                                              \
    X(Alltoallv)                                                                                             \
    X(Alltoallw)

enum collective {
#define X(name) name,
    COLLECTIVES(X)
#undef X
        COLLECTIVE_COUNT
};
extern const char *const collective_names[];

/* A run of elements that comes from one rank, or is combined from several. */
struct block {
    int first, last; /* ranks in the group that contributes; first == last: no reduction */
    int index;       /* which of its blocks */
    long elements;
    ptrdiff_t at; /* bytes */
    bool unknown; /* MPI leaves its content undefined */
};

/* A buffer as this rank passes it. */
struct side {
    bool used;
    struct layout layout;
    int blocks;
    struct block block[MAX_RANKS];
    unsigned char *memory, *base, *before; /* base: displacement 0. before: a copy of what was put in */
    size_t bytes;
    int count[MAX_RANKS], displacement[MAX_RANKS];
    MPI_Datatype type[MAX_RANKS];
#if LARGE_COUNTS
    MPI_Count large_count[MAX_RANKS];
    MPI_Aint large_displacement[MAX_RANKS];
#endif
};

struct plan {
    struct walk *walk;
    const struct circle *circle;
    enum collective what;
    const struct basic *basic;
    enum operation operation;
    int root, root_side;
    bool in_place, large, alike;
    int unit;          /* numbers of elements are multiples of it */
    long elements;     /* of a block, or the most of any block */
    int own, other;    /* members of this rank's group and of the group that it meets */
    const int *source; /* that group's members */
    struct side send, receive;
};

/* Draw the part of the plan that every rank knows, from w->step. */
void plan_draw(struct plan *p, struct walk *w, const struct circle *circle);
/* Draw the buffers of this rank. */
void plan_sides(struct plan *p);
bool plan_reduces(enum collective what);
bool plan_rooted(enum collective what);
/* Return true if this rank is the root; and the argument that it passes as the root. */
bool plan_at_root(const struct plan *p);
int plan_root_argument(const struct plan *p);
/* Return true if this rank passes MPI_IN_PLACE. */
bool plan_in_place(const struct plan *p);
void plan_free(struct plan *p);

/* Lay out the buffers and fill them; and compare them afterwards. */
void check_fill(struct plan *p);
void check_compare(struct plan *p);

/* Call MPI_..., or MPI_..._c if the plan says so. */
void call_collective(const struct plan *p);

/* ---- what stays pending meanwhile: beside.c */

void beside_start(struct walk *w);
void beside_step(struct walk *w);
/* Complete the pending operations on a communicator, or on all (-1). */
void beside_complete(struct walk *w, int circle);
void beside_stop(struct walk *w);

/* Make and free many communicators, with a collective on each. */
void churn(MPI_Comm base, int me, int n, long count);

/* End the job with the present call, and the way to replay it. */
void fail(const struct walk *w, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

static inline struct rng rng_step(const struct walk *w, uint64_t who, enum purpose purpose) {
    return rng_for(w->seed, (uint64_t)w->step, who, purpose);
}

#endif

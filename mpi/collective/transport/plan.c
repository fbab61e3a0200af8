#include "collective/transport/plan.h"

#include <limits.h>

#include "collective/transport/ring.h"
#include "collective/transport/staged.h"
#include "engine/bypass.h"
#include "engine/kernel.h"
#include "engine/nodes.h"

/* The largest number of bytes: the hosts count in int, and so do the copies here. */
#define MOST ((size_t)INT_MAX)

/* ---- crossovers -------------------------------------------------------------------------------------- */

/* The ratio of ranks to processors; PAIR: two ranks, each with a processor. */
enum column { PAIR, APART, CROWDED, VERY_CROWDED, COLUMNS };

enum { VERY = 8 /* ranks */, ALL = 0, RIVALS = UNO_RIVAL_MPICH + 1 };

/* Sizes in KB up to which an operation is done here. They are those of `unisono mpi --tune` with 2, 4 and 8
 * ranks on 2 processors up to which it gained at every size, mostly a fifth or more; APART is by those of 2
 * ranks when large blocks of the v forms were copied twice, since more have not been measured. PAIR is by
 * UNISONO_MPI_TUNE=all script/bench-mpi sizes imb --ranks 2: nowhere slower, whether the two processors share
 * a core or not. MPICH's ranks wait without letting others run. */
#define OP(name) [UNO_MPI_##name - UNO_MPI_FIRST]
static const unsigned short up_to[RIVALS][UNO_COLLECTIVES][COLUMNS] =
    {
        [UNO_RIVAL_OPENMPI] =
            {
                OP(BARRIER) = {ALL, ALL, ALL, ALL},
                OP(BCAST) = {2048, 4, 4, 64},
                OP(REDUCE) = {4, 4, 32, ALL},
                OP(ALLREDUCE) = {32, 32, ALL, ALL},
                OP(SCAN) = {8, 8, 64, 8},
                OP(EXSCAN) = {8, 8, 64, 8},
                OP(GATHER) = {ALL, 16, 8, ALL},
                OP(GATHERV) = {16, 16, 8, 1024},
                OP(ALLGATHER) = {ALL, 8, 64, ALL},
                OP(ALLGATHERV) = {ALL, 16, ALL, ALL},
                OP(SCATTER) = {ALL, 8, 8, 8},
                OP(SCATTERV) = {ALL, 8, 8, 16},
                OP(ALLTOALL) = {ALL, 4, 16, 16},
                OP(ALLTOALLV) = {ALL, 4, 4, 16},
                OP(REDUCE_SCATTER) = {16, 16, ALL, ALL},
                OP(REDUCE_SCATTER_BLOCK) = {8, 8, ALL, 16},
            },
        [UNO_RIVAL_MPICH] =
            {
                OP(BCAST) = {ALL, ALL, ALL, ALL},
                OP(GATHER) = {1024, 8, ALL, ALL},
                OP(GATHERV) = {1024, 8, ALL, ALL},
                OP(ALLGATHER) = {ALL, 1024, ALL, ALL},
                OP(SCATTER) = {ALL, 1024, 64, 64},
                OP(SCATTERV) = {ALL, 16, 32, 32},
                OP(ALLTOALL) = {ALL, 1024, ALL, ALL},
                OP(REDUCE_SCATTER) = {64, 64, 256, 256},
                OP(REDUCE_SCATTER_BLOCK) = {32, 32, 64, 64},
            },
};

/* The least bytes for which an operation is done here, among the operations in which a rank may run ahead of
 * the others, such as a root that only sends. In a row of them Open MPI's ranks store small messages into
 * memory one after the other, and hardly switch; here they meet in each operation. Larger messages Open MPI's
 * ranks wait for, too. */
static const unsigned short from[RIVALS][UNO_COLLECTIVES][COLUMNS] = {
    [UNO_RIVAL_OPENMPI] =
        {
            OP(BCAST) = {0, 0, 512, 512},
            OP(SCAN) = {512, 512, 512, 512},
            OP(EXSCAN) = {256, 256, 512, 512},
            OP(GATHERV) = {0, 0, 512, 512},
            OP(SCATTER) = {0, 0, 256, 256},
            OP(SCATTERV) = {0, 0, 512, 512},
        },
};

/* The largest blocks that go by rings, if the ranks are few enough (ring.h): in the same operations, and in
 * those in which all ranks but one only send. As many ranks as processors meet faster than that, but where
 * each rank waits for the one before it and the data take one step of a ring. For such sizes there is no
 * least one: `from` is for the other paths. */
enum { STEP = UNO_RING_BYTES, RING = UNO_RINGS_BYTES };
static const unsigned short by_ring[UNO_COLLECTIVES][COLUMNS] = {
    OP(BCAST) = {0, 0, RING, RING},      OP(SCATTER) = {0, 0, RING, RING},
    OP(REDUCE) = {0, 0, RING, RING},     OP(GATHER) = {0, 0, RING, RING},
    OP(SCAN) = {STEP, STEP, RING, RING}, OP(EXSCAN) = {STEP, STEP, RING, RING},
};

/* The operations in which a large block may be copied once. In MPI_Reduce the root would do nearly all of the
 * work alone: with more ranks than processors, 4 on 2, that took twice as long as in pieces, which all ranks
 * combine. The other reductions have not been measured with more ranks than processors. */
enum direct { NEVER, UNCROWDED, ALWAYS };
static const unsigned char may_be_direct[UNO_COLLECTIVES] = {
    OP(BCAST) = ALWAYS,
    OP(GATHER) = ALWAYS,
    OP(GATHERV) = ALWAYS,
    OP(ALLGATHER) = ALWAYS,
    OP(ALLGATHERV) = ALWAYS,
    OP(SCATTER) = ALWAYS,
    OP(SCATTERV) = ALWAYS,
    OP(ALLTOALL) = ALWAYS,
    OP(ALLTOALLV) = ALWAYS,
    OP(REDUCE) = UNCROWDED,
    OP(ALLREDUCE) = UNCROWDED,
    OP(REDUCE_SCATTER) = UNCROWDED,
    OP(REDUCE_SCATTER_BLOCK) = UNCROWDED,
};
#undef OP

/* The settings of this process. */
static enum uno_rival rival;
static const struct uno_crossover *rows; /* the user's */
static int row_count;
static bool everything;

void uno_plan_start(enum uno_rival against, const struct uno_crossover *of_user, int count, bool all) {
    rival = against;
    rows = of_user;
    row_count = count;
    everything = all;
}

static enum column column_of(int ranks, bool crowded) {
    if (!crowded)
        return ranks > 2 ? APART : PAIR;
    return ranks < VERY ? CROWDED : VERY_CROWDED;
}

/* Return the built-in crossover, with the least bytes in *least. */
static size_t built_in(int op, enum column column, size_t *least) {
    size_t kb = up_to[rival][op - UNO_MPI_FIRST][column], start = from[rival][op - UNO_MPI_FIRST][column];
    *least = start ? start : 1;
    return kb == ALL ? MOST : kb * 1024 + 1;
}

/* Return the user's row of the operation for so many ranks; NULL: the operation has none. */
static const struct uno_crossover *row_for(int op, int ranks) {
    const struct uno_crossover *best = NULL;
    for (const struct uno_crossover *row = rows; row < rows + row_count; row++) {
        if (row->op != op)
            continue;
        bool fits = row->ranks <= ranks, best_fits = best && best->ranks <= ranks;
        if (!best || fits > best_fits || (fits == best_fits && fits == (row->ranks >= best->ranks)))
            best = row;
    }
    return best;
}

/* The bytes of a rank that go by the unit. Each meeting takes its time, and so does a schedule of messages.
 */
static size_t unit_most(const struct uno_comm *c) {
    enum { HARDWARE = 512 };
    if (!c->apart)
        return HARDWARE;
    const struct uno_job_nodes *nodes = uno_nodes_of(c->lane->pe->job);
    int on[UNO_NODES_MOST] = {0}, most = 0;
    for (int r = 0; r < c->size; r++) {
        int here = ++on[nodes->place[c->pe[r]].node];
        most = here > most ? here : most;
    }
    return UNO_BYTES * (size_t)most;
}

void uno_plan_open(struct uno_comm *c, bool crowded) {
    enum column column = column_of(c->size, crowded);
    c->plan = (struct uno_plan){.crowded = crowded, .direct = true, .unit = c->unit ? unit_most(c) : 0};
    /* without bands, so that those which have no unit look at nothing more */
    for (int op = UNO_MPI_FIRST; !c->unit && op <= UNO_MPI_LAST; op++) {
        const struct uno_crossover *row = row_for(op, c->size);
        size_t least = row && !everything ? row->least : 1;
        size_t below = everything ? MOST : row ? row->below : built_in(op, column, &least);
        size_t ring = c->lane->ring ? by_ring[op - UNO_MPI_FIRST][column] : 0;
        if (ring && !row)
            least = 1;
        c->plan.band[op - UNO_MPI_FIRST] = (struct uno_band){least, below > least ? below - least : 0, ring};
    }
}

/* ---- large blocks: in pieces, or copied once -------------------------------------------------------------
 *
 * Which is faster depends on the machine: two processors that share a core have a piece in a cache of both,
 * and copy it in a fifth of the time that the system takes; processors further apart do not. So each
 * communicator tries both on its own operations, for each operation and power of two of bytes, and keeps the
 * faster (trial.h): TRIES operations in pieces and then as many in one copy, and half as many of each if it
 * is not the first trial of that size. Before each of them the ranks meet, so that none is timed that waits
 * for another rank's work; at the end each tells its least time of either way, and their sum counts: a rank
 * that is done before others may go on. So all ranks decide alike, from the same numbers.
 *
 * With more ranks than processors there is no trial: what counts there is the number of meetings, so what is
 * copied once is what takes more than one piece. */

/* Bytes from which blocks are large. Small ones do not go directly: that takes system calls. */
#define DIRECT ((size_t)16 * 1024)

enum {
    TRIES = UNO_SLOTS + 2, /* whose buffers must have been touched once, which takes long */
    TRIAL_FIRST = 256,     /* large operations until the next trial, */
    TRIAL_MOST = 4096      /* twice as many after each trial in which nothing has changed */
};

enum { STAGED };

static struct uno_large *large_of(struct uno_comm *c, enum uno_op op) {
    return &c->plan.large[op - UNO_MPI_FIRST];
}

/* Return the powers of two of bytes that go in pieces; while a trial runs, all of them or none. */
static uint32_t staged_powers(const struct uno_comm *c, enum uno_op op) {
    const struct uno_large *large = &c->plan.large[op - UNO_MPI_FIRST];
    if (!uno_trial_runs(&large->trial))
        return large->kept;
    return uno_trial_way(&large->trial) == STAGED ? UINT32_MAX : 0;
}

/* Return the exponent of the largest power of two in so many bytes. */
static unsigned power_of(size_t bytes) {
    return bytes >> 31 ? 31 : 31 - (unsigned)__builtin_clz((unsigned)bytes | 1);
}

static bool may_go_direct(const struct uno_comm *c, enum uno_op op, size_t bytes) {
    enum direct may = may_be_direct[op - UNO_MPI_FIRST];
    return bytes >= DIRECT && c->plan.direct && may > (c->plan.crowded ? UNCROWDED : NEVER);
}

/* Return the bytes of a block that go in one meeting. */
static size_t piece_of(const struct uno_comm *c, enum uno_shape shape) {
    return shape == UNO_BLOCK_EACH ? uno_staged_share(c) : UNO_PIECE;
}

static bool goes_direct(const struct uno_comm *c, enum uno_op op, size_t bytes, enum uno_shape shape) {
    return may_go_direct(c, op, bytes) &&
           (c->plan.crowded ? bytes > piece_of(c, shape) : !(staged_powers(c, op) >> power_of(bytes) & 1));
}

/* Return true if that size and all larger ones go directly, where the largest block is not yet known. */
static bool goes_direct_from(const struct uno_comm *c, enum uno_op op, size_t bytes, enum uno_shape shape) {
    return may_go_direct(c, op, bytes) &&
           (c->plan.crowded ? bytes > piece_of(c, shape) : !(staged_powers(c, op) >> power_of(bytes)));
}

enum uno_path uno_plan_large(const struct uno_comm *c, enum uno_op op, size_t block, enum uno_shape shape) {
    if (UNO_UNLIKELY(c->unit != NULL))
        uno_bypass(c->lane->pe, op);
    return goes_direct(c, op, block, shape) ? UNO_BY_DIRECT : UNO_BY_STAGED;
}

void uno_plan_begin(struct uno_comm *c, enum uno_op op) {
    struct uno_large *large = large_of(c, op);
    if (UNO_LIKELY(!uno_trial_runs(&large->trial)))
        return;
    uno_slots_meet(c, op, 0, NULL, 0);
    uno_slots_end(c);
    large->start = uno_kernel_now();
}

static void begin_trial(struct uno_large *large, unsigned power) {
    large->power = (unsigned char)power;
    uno_trial_begin(&large->trial, large->tried >> power & 1 ? TRIES / 2 : TRIES);
}

/* Add up all ranks' times in ns: in pieces, and in one copy. UINT64_MAX: a rank had no such operation. */
static void add_up(const struct uno_comm *c, enum uno_op op, const uint32_t own[2], uint64_t sum[2]) {
    const void *const *data = uno_slots_meet(c, op, 0, own, 2 * sizeof *own);
    sum[0] = sum[1] = 0;
    for (int r = 0; r < c->size; r++) {
        uint32_t of[2];
        memcpy(of, data[r], sizeof of);
        for (int i = 0; i < 2; i++)
            sum[i] = of[i] == UINT32_MAX || sum[i] == UINT64_MAX ? UINT64_MAX : sum[i] + of[i];
    }
    uno_slots_end(c);
}

static void end_trial(const struct uno_comm *c, enum uno_op op, struct uno_large *large) {
    uint32_t bit = UINT32_C(1) << large->power, before = large->kept;
    uint64_t sum[2];
    add_up(c, op, large->trial.least, sum);
    if (sum[0] < UINT64_MAX && sum[1] < UINT64_MAX)
        large->kept = sum[0] < sum[1] ? large->kept | bit : large->kept & ~bit;
    bool same = large->tried & bit && large->kept == before;
    large->rests = !same ? TRIAL_FIRST : large->rests < TRIAL_MOST ? large->rests * 2 : TRIAL_MOST;
    large->tried |= bit;
    /* of calls that alternate, a trial must not always meet the same one */
    uno_trial_end(&large->trial, large->rests + large->trials++ % 5);
}

void uno_plan_end(struct uno_comm *c, enum uno_op op, size_t bytes) {
    struct uno_large *large = large_of(c, op);
    unsigned power = power_of(bytes);
    if (uno_trial_runs(&large->trial)) {
        if (power == large->power)
            uno_trial_learn(&large->trial, uno_kernel_now() - large->start);
        if (uno_trial_count(&large->trial, 0))
            end_trial(c, op, large);
    } else if (may_go_direct(c, op, bytes) && !c->plan.crowded) {
        uno_trial_count(&large->trial, 0);
        if (!(large->tried >> power & 1) || uno_trial_is_due(&large->trial))
            begin_trial(large, power);
    }
}

/* ---- sizes that no rank knows ------------------------------------------------------------------------ */

enum { PASS_FIRST = 4, PASS_MOST = 1024 };

static bool is_passed(struct uno_comm *c, enum uno_op op) {
    short *left = &c->plan.pass[op - UNO_MPI_FIRST].left;
    if (!*left)
        return false;
    --*left;
    return true;
}

bool uno_plan_passes(struct uno_comm *c, enum uno_op op) {
    return !c->lane || !c->plan.band[op - UNO_MPI_FIRST].count || is_passed(c, op);
}

bool uno_plan_too_large(const struct uno_comm *c, enum uno_op op, size_t bytes) {
    if (UNO_UNLIKELY(c->unit != NULL))
        return bytes >= (c->apart ? c->plan.unit + 1 : MOST);
    const struct uno_band *band = &c->plan.band[op - UNO_MPI_FIRST];
    return bytes >= band->least + band->count;
}

bool uno_plan_brings(const struct uno_comm *c, enum uno_op op, size_t bytes, enum uno_shape shape) {
    return !uno_plan_too_large(c, op, bytes) && !goes_direct_from(c, op, bytes, shape);
}

/* Count an operation that was looked at. Returns takes. */
static bool count_look(struct uno_comm *c, enum uno_op op, bool takes) {
    short *left = &c->plan.pass[op - UNO_MPI_FIRST].left;
    short *before = &c->plan.pass[op - UNO_MPI_FIRST].before;
    *left = takes ? 0 : !*before ? PASS_FIRST : *before < PASS_MOST ? *before * 2 : PASS_MOST;
    *before = *left;
    return takes;
}

enum uno_path uno_plan_varied(struct uno_comm *c, enum uno_op op, size_t most, enum uno_shape shape) {
    bool takes = c->unit ? most < MOST : count_look(c, op, uno_plan_takes(c, op, most ? most : 1));
    return takes ? uno_plan_large(c, op, most, shape) : UNO_BY_HOST;
}

/* ---- the unit ------------------------------------------------------------------------------------------ */

/* Return true if the unit carries blocks of so many bytes. */
static bool unit_carries(const struct uno_comm *c, size_t block, enum uno_shape shape) {
    return block * (shape == UNO_BLOCK_EACH ? (size_t)c->size : 1) <= c->plan.unit;
}

UNO_COLD enum uno_path uno_plan_else(struct uno_comm *c, enum uno_op op, size_t bytes, size_t block,
                                     enum uno_shape shape) {
    if (!c->unit || bytes - 1 >= MOST)
        return UNO_BY_HOST;
    if (unit_carries(c, block, shape))
        return UNO_BY_UNIT;
    return c->apart ? UNO_BY_HOST : uno_plan_large(c, op, block, shape);
}

bool uno_plan_unit_tries(struct uno_comm *c, enum uno_op op) {
    return c->unit && !is_passed(c, op);
}

bool uno_plan_unit_took(struct uno_comm *c, enum uno_op op, size_t most, enum uno_shape shape) {
    return count_look(c, op, unit_carries(c, most, shape));
}

/* ---- several nodes ----------------------------------------------------------------------------------- */

bool uno_plan_hierarchical(const struct uno_comm *c, size_t bytes, enum uno_shape shape) {
    enum {
        WHOLE = 1024 * 1024, /* up to so many bytes where each rank has all of them, */
        BLOCKS = 64 * 1024,  /* and where they are the blocks of all ranks */
    };
    return shape == UNO_ONE_BLOCK ? bytes - 1 < WHOLE : bytes - 1 < BLOCKS / (size_t)c->size;
}

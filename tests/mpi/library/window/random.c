/* random [refused] --seed S --rounds N: random accesses to windows of every flavor, in epochs of every kind
 * and by types of all sorts, against a model: every rank does what all ranks do, in memory of its own. In a
 * round no two ranks access the same elements, but to combine them, in one way. */

#include "refuse.h"

#include "campaign.h"
#include "rng.h"

enum { RANKS = 8, ELEMENTS = 240, BYTES = ELEMENTS * 8, ACCESSES = 12, PIECES = 6 };

static struct rng all;                       /* the same at every rank */
static const MPI_Comm here = MPI_COMM_WORLD; /* the ranks of the windows */
static bool apart;                           /* they are on several nodes, and share no memory */
static int rank, size;

static MPI_Win win;
static bool dynamic;
static char *memory;                          /* of this rank, in the window */
static MPI_Aint places[RANKS];                /* of a dynamic window, where each rank's memory is */
static _Alignas(16) char model[RANKS][BYTES]; /* the memory of each rank, as it must be */
static _Alignas(16) char own[BYTES],
    data[BYTES]; /* this rank's memory of created windows; its own elements */

/* ---- windows ---------------------------------------------------------------------------------------------
 */

static void fill(char *at, uint64_t what) {
    struct rng r = rng_for(what, 1, 2, 3);
    for (int i = 0; i < BYTES; i++)
        at[i] = (char)rng_next(&r);
}

static void make(void) {
    int flavor = rng_below(&all, 4), shared = flavor == 1 && !apart;
    dynamic = flavor == 3;
    memory = own;
    if (flavor == 0 || (flavor == 1 && apart))
        GOOD(MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, here, &memory, &win));
    else if (shared)
        GOOD(MPI_Win_allocate_shared(BYTES, 1, MPI_INFO_NULL, here, &memory, &win));
    else if (!dynamic)
        GOOD(MPI_Win_create(own, BYTES, 1, MPI_INFO_NULL, here, &win));
    else
        GOOD(MPI_Win_create_dynamic(MPI_INFO_NULL, here, &win));
    MPI_Aint at = 0;
    if (dynamic) {
        GOOD(MPI_Win_attach(win, own, BYTES));
        GOOD(MPI_Get_address(own, &at));
    }
    GOOD(MPI_Allgather(&at, 1, MPI_AINT, places, 1, MPI_AINT, here));
    uint64_t what = rng_next(&all);
    for (int r = 0; r < size; r++)
        fill(model[r], what + (uint64_t)r);
    memcpy(memory, model[rank], BYTES);
    GOOD(MPI_Barrier(here));
}

static void end(void) {
    if (dynamic)
        GOOD(MPI_Win_detach(win, own));
    GOOD(MPI_Win_free(&win));
}

/* ---- epochs ----------------------------------------------------------------------------------------------
 */

enum epoch { FENCE, POST, LOCK_ALL, LOCK, EPOCHS };

static void begin_epoch(enum epoch epoch, MPI_Group group) {
    if (epoch == FENCE) {
        GOOD(MPI_Win_fence(0, win));
    } else if (epoch == POST) {
        GOOD(MPI_Win_post(group, 0, win));
        GOOD(MPI_Win_start(group, 0, win));
    } else if (epoch == LOCK_ALL) {
        GOOD(MPI_Win_lock_all(0, win));
    }
}

static void end_epoch(enum epoch epoch) {
    if (epoch == FENCE) {
        GOOD(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    } else if (epoch == POST) {
        GOOD(MPI_Win_complete(win));
        GOOD(MPI_Win_wait(win));
    } else if (epoch == LOCK_ALL) {
        GOOD(MPI_Win_unlock_all(win));
    }
    GOOD(MPI_Barrier(here));
}

/* ---- elements --------------------------------------------------------------------------------------------
 */

static const struct {
    MPI_Datatype type;
    int bytes;
} basics[] = {{MPI_INT8_T, 1}, {MPI_UINT16_T, 2}, {MPI_INT32_T, 4}, {MPI_UINT64_T, 8}, {MPI_INT64_T, 8}};
enum { BASICS = sizeof basics / sizeof *basics };

/* Some of the elements of `basic` in a part of memory, in any order: their numbers, and the type that has
 * them. */
struct some {
    int count, index[ELEMENTS];
    MPI_Datatype type;
};

/* Draw `count` elements of those from `from` to `to`, which are more: as a vector of them, in pieces of
 * random lengths from back to front, or just one after the other. */
static struct some draw(struct rng *r, int basic, int from, int to, int count) {
    struct some s = {.count = count};
    int lengths[PIECES], displacements[PIECES], pieces = 1 + rng_below(r, count < PIECES ? count : PIECES);
    int left = count, gaps = to - from - count, at = to, n = 0;
    for (int i = 0; i < pieces; i++) {
        int length = i == pieces - 1 ? left : rng_below(r, left + 1), gap = rng_below(r, gaps + 1);
        at -= gap + length;
        gaps -= gap;
        left -= length;
        lengths[i] = length;
        displacements[i] = at;
        for (int k = 0; k < length; k++)
            s.index[n++] = at + k;
    }
    GOOD(MPI_Type_indexed(pieces, lengths, displacements, basics[basic].type, &s.type));
    GOOD(MPI_Type_commit(&s.type));
    return s;
}

static void drop(struct some *s) {
    GOOD(MPI_Type_free(&s->type));
}

/* One access, which every rank knows: by whom, to whom, and which elements of both. */
struct access {
    int by, to;
    struct some here, there;
};

static struct access draw_access(int basic, int by, int from, int to) {
    int bytes = basics[basic].bytes, elements = BYTES / bytes;
    elements = elements < ELEMENTS ? elements : ELEMENTS;
    int count = 1 + rng_below(&all, to - from);
    struct access a = {.by = by, .to = rng_below(&all, size)};
    a.there = draw(&all, basic, from, to, count);
    a.here = draw(&all, basic, 0, elements, count);
    return a;
}

static void drop_access(struct access *a) {
    drop(&a->here);
    drop(&a->there);
}

static MPI_Aint place_of(int to) {
    return dynamic ? places[to] : 0;
}

/* The elements that a rank gives away in a round. */
static void data_of(int by, int round) {
    fill(data, (uint64_t)(round * RANKS + by) * 77 + 5);
}

static void compare(void) {
    CHECK(memcmp(memory, model[rank], BYTES) == 0);
}

/* ---- rounds ----------------------------------------------------------------------------------------------
 */

static void lock(enum epoch epoch, int to) {
    if (epoch == LOCK)
        GOOD(MPI_Win_lock(rng_below(&all, 2) ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, to, 0, win));
}
static void unlock(enum epoch epoch, int to) {
    if (epoch == LOCK)
        GOOD(MPI_Win_unlock(to, win));
}

/* Each rank puts to elements of its own share of every rank's memory, once. */
static void puts_round(enum epoch epoch, int round) {
    int basic = rng_below(&all, BASICS), bytes = basics[basic].bytes, share = ELEMENTS / RANKS;
    for (int by = 0; by < size; by++) {
        struct access a = draw_access(basic, by, by * share, (by + 1) * share);
        data_of(by, round);
        for (int i = 0; i < a.here.count; i++)
            memcpy(model[a.to] + a.there.index[i] * bytes, data + a.here.index[i] * bytes, (size_t)bytes);
        struct rng kept = all;
        if (by == rank) {
            lock(epoch, a.to);
            GOOD(MPI_Put(data, 1, a.here.type, a.to, place_of(a.to), 1, a.there.type, win));
            unlock(epoch, a.to);
        }
        all = kept;
        drop_access(&a);
    }
}

/* Each rank gets some elements, several times. */
static void gets_round(enum epoch epoch) {
    int basic = rng_below(&all, BASICS), bytes = basics[basic].bytes, elements = BYTES / bytes;
    elements = elements < ELEMENTS ? elements : ELEMENTS;
    for (int i = 0; i < ACCESSES; i++) {
        struct access a = draw_access(basic, i % size, 0, elements);
        struct rng kept = all;
        if (a.by == rank) {
            static char got[BYTES];
            lock(epoch, a.to);
            GOOD(MPI_Get(got, 1, a.here.type, a.to, place_of(a.to), 1, a.there.type, win));
            if (epoch == LOCK_ALL)
                GOOD(MPI_Win_flush_local(a.to, win));
            unlock(epoch, a.to);
            if (epoch == LOCK || epoch == LOCK_ALL)
                for (int k = 0; k < a.here.count; k++)
                    CHECK(memcmp(got + a.here.index[k] * bytes, model[a.to] + a.there.index[k] * bytes,
                                 (size_t)bytes) == 0);
        }
        all = kept;
        drop_access(&a);
    }
}

/* All ranks combine elements of all memory, by one operation of which the order does not matter. */
static void combine_round(enum epoch epoch, int round) {
    const MPI_Op choices[] = {MPI_SUM, MPI_BXOR, MPI_MAX, MPI_MIN, MPI_BOR, MPI_PROD};
    MPI_Op op = choices[rng_below(&all, 6)];
    int basic = rng_below(&all, BASICS), bytes = basics[basic].bytes, elements = BYTES / bytes;
    elements = elements < ELEMENTS ? elements : ELEMENTS;
    for (int i = 0; i < ACCESSES; i++) {
        int few = rng_below(&all, 2), from = few ? rng_below(&all, elements - 4) : 0;
        struct access a = draw_access(basic, i % size, from, few ? from + 4 : elements);
        data_of(a.by, round);
        struct rng kept = all;
        if (a.by == rank) {
            static char before[BYTES];
            lock(epoch, a.to);
            if (i % 3)
                GOOD(MPI_Accumulate(data, 1, a.here.type, a.to, place_of(a.to), 1, a.there.type, op, win));
            else
                GOOD(MPI_Get_accumulate(data, 1, a.here.type, before, 1, a.here.type, a.to, place_of(a.to), 1,
                                        a.there.type, op, win));
            unlock(epoch, a.to);
        }
        all = kept;
        for (int k = 0; k < a.here.count; k++)
            GOOD(MPI_Reduce_local(data + a.here.index[k] * bytes, model[a.to] + a.there.index[k] * bytes, 1,
                                  basics[basic].type, op));
        drop_access(&a);
    }
}

/* All ranks count one element on, or hand a number on by swapping it: each number comes once. */
static void fetch_round(enum epoch epoch) {
    int to = rng_below(&all, size), index = rng_below(&all, BYTES / 8), swaps = rng_below(&all, 2);
    int64_t begin, last = 0, got[ACCESSES];
    memcpy(&begin, model[to] + index * 8, 8);
    for (int i = 0; i < ACCESSES; i++) {
        int64_t number = swaps ? 1 + rank * ACCESSES + i : 1;
        struct rng kept = all;
        lock(epoch, to);
        GOOD(MPI_Fetch_and_op(&number, &got[i], MPI_INT64_T, to, place_of(to) + index * 8,
                              swaps ? MPI_REPLACE : MPI_SUM, win));
        GOOD(epoch == LOCK_ALL ? MPI_Win_flush(to, win) : MPI_SUCCESS);
        unlock(epoch, to);
        all = kept;
    }
    end_epoch(epoch);
    uint64_t total, part = 0, k = (uint64_t)size * ACCESSES;
    for (int i = 0; i < ACCESSES; i++)
        part += (uint64_t)got[i];
    GOOD(MPI_Allreduce(&part, &total, 1, MPI_UINT64_T, MPI_SUM, here));
    if (rank == to)
        memcpy(&last, memory + index * 8, 8);
    GOOD(MPI_Bcast(&last, 1, MPI_INT64_T, to, here));
    if (swaps)
        CHECK(total + (uint64_t)last == (uint64_t)begin + k * (k + 1) / 2);
    else
        CHECK((uint64_t)last == (uint64_t)begin + k && total == k * (uint64_t)begin + k * (k - 1) / 2);
    memcpy(model[to] + index * 8, &last, 8);
}

static void round_of(int round, MPI_Group group) {
    enum epoch epoch = (enum epoch)rng_below(&all, EPOCHS);
    int what = rng_below(&all, 4);
    begin_epoch(epoch, group);
    if (what == 0)
        puts_round(epoch, round);
    else if (what == 1)
        gets_round(epoch);
    else if (what == 2)
        combine_round(epoch, round);
    else
        fetch_round(epoch);
    if (what != 3)
        end_epoch(epoch);
    compare();
    GOOD(MPI_Barrier(here));
}

int main(int argc, char **argv) {
    refused = argc > 1 && strcmp(argv[1], "refused") == 0;
    int first = refused;
    campaign_tells(argc - first, argv + first);
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(here, &rank));
    GOOD(MPI_Comm_size(here, &size));
    apart = nodes_apart();
    CHECK(size <= RANKS);
    struct campaign c = campaign_of(argc - first, argv + first, 200);
    MPI_Group group;
    GOOD(MPI_Comm_group(here, &group));
    for (int round = 0; round < c.rounds; round++) {
        all = rng_for(c.seed, (uint64_t)round, 0, 0);
        if (round % 10 == 0)
            make();
        round_of(round, group);
        if (round % 10 == 9 || round == c.rounds - 1)
            end();
    }
    CHECK(!refused || !copies);
    GOOD(MPI_Group_free(&group));
    GOOD(MPI_Finalize());
    return 0;
}

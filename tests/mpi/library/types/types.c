/* types --seed S --rounds N: random data types against their type maps (oracle.h): bounds, packing, messages
 * and broadcasts between types of the same signature, MPI_Alltoallw, and contents, from which they are made
 * again. */

#include "oracle.h"

#include "../campaign.h"

#include <string.h>

static int rank, size;
static struct rng all; /* the same at every rank */

/* ---- elements in memory ------------------------------------------------------------------------------- */

/* Memory in which `count` elements fit; `base` is the address that MPI gets. */
struct memory {
    unsigned char *own, *base;
    size_t bytes;
};

static struct memory memory_for(const struct map *map, int count, int fill) {
    MPI_Aint low = 0, high = 0, extent = map->ub - map->lb;
    for (int i = 0; i < map->n; i++)
        for (int k = 0; k<count; k += count> 1 ? count - 1 : 1) {
            MPI_Aint at = map->entry[i].at + k * extent, end = at + basics[map->entry[i].basic].size;
            low = at < low ? at : low;
            high = end > high ? end : high;
        }
    struct memory m = {.bytes = (size_t)(high - low)};
    m.own = malloc(m.bytes + 1);
    memset(m.own, fill, m.bytes + 1);
    m.base = m.own - low;
    return m;
}

static unsigned char *place(const struct memory *m, const struct map *map, int k) {
    return m->base + map->entry[k % map->n].at + k / map->n * (map->ub - map->lb);
}

static int size_of(const struct map *map, int k) {
    return basics[map->entry[k % map->n].basic].size;
}

static int bytes_of(const struct map *map, int entries) {
    int bytes = 0;
    for (int k = 0; k < entries; k++)
        bytes += size_of(map, k);
    return bytes;
}

/* Return 1 if no byte belongs to two entries. */
static int is_apart(const struct map *map, int count) {
    struct memory m = memory_for(map, count, 0);
    int apart = 1;
    for (int k = 0; k < count * map->n; k++)
        for (int b = 0; b < size_of(map, k); b++)
            apart &= place(&m, map, k)[b]++ == 0;
    free(m.own);
    return apart;
}

/* Write the bytes to the first `entries` entries; all other bytes stay. */
static void scatter(const struct memory *m, const struct map *map, int entries, const unsigned char *bytes) {
    for (int k = 0; k < entries; bytes += size_of(map, k++))
        memcpy(place(m, map, k), bytes, (size_t)size_of(map, k));
}

static unsigned char *random_bytes(struct rng *r, int n) {
    unsigned char *bytes = malloc((size_t)n + 1);
    for (int i = 0; i < n; i++)
        bytes[i] = (unsigned char)rng_next(r);
    return bytes;
}

/* ---- what MPI says of a type ----------------------------------------------------------------------------
 */

static void compare_bounds(const struct typed *t) {
    const struct map *map = &t->map;
    MPI_Count lb, extent, n, low = 0, high = 0;
    GOOD(MPI_Type_size_c(t->type, &n));
    CHECK(n == bytes_of(map, map->n));
    GOOD(MPI_Type_get_extent_c(t->type, &lb, &extent));
    CHECK(lb == map->lb && extent == map->ub - map->lb);
    for (int i = 0; i < map->n; i++) {
        MPI_Aint at = map->entry[i].at, end = at + size_of(map, i);
        low = i == 0 || at < low ? at : low;
        high = i == 0 || end > high ? end : high;
    }
    GOOD(MPI_Type_get_true_extent_c(t->type, &lb, &extent));
    CHECK(lb == low && extent == high - low);
}

/* Compare the counts for a message of so many of the type's first entries. */
static void compare_counts(const struct typed *t, int entries, MPI_Status *status) {
    MPI_Count n;
    int count;
    GOOD(MPI_Get_elements_c(status, t->type, &n));
    CHECK(n == entries);
    GOOD(MPI_Get_count(status, t->type, &count));
    CHECK(count == (entries % t->map.n ? MPI_UNDEFINED : entries / t->map.n));
    GOOD(MPI_Status_set_elements_c(status, t->type, n));
    GOOD(MPI_Get_elements_c(status, t->type, &n));
    CHECK(n == entries);
}

/* ---- packing ----------------------------------------------------------------------------------------- */

/* Pack each basic element by itself into the representation for all machines. */
static MPI_Aint external_of(const struct map *map, const struct memory *m, int entries, void *to,
                            MPI_Aint room) {
    MPI_Aint position = 0;
    for (int k = 0; k < entries; k++)
        GOOD(MPI_Pack_external("external32", place(m, map, k), 1, basics[map->entry[k % map->n].basic].type,
                               to, room, &position));
    return position;
}

static void compare_external(const struct typed *t, const struct memory *m, int count) {
    int entries = count * t->map.n;
    MPI_Aint room, position = 0;
    GOOD(MPI_Pack_external_size("external32", count, t->type, &room));
    char *whole = malloc((size_t)room + 1), *single = malloc((size_t)room + 1);
    CHECK(external_of(&t->map, m, entries, single, room) == room);
    GOOD(MPI_Pack_external("external32", m->base, count, t->type, whole, room, &position));
    CHECK(position == room && memcmp(whole, single, (size_t)room) == 0);
    if (is_apart(&t->map, count)) {
        struct memory back = memory_for(&t->map, count, 0);
        position = 0;
        GOOD(MPI_Unpack_external("external32", whole, room, &position, back.base, count, t->type));
        for (int k = 0; k < entries; k++)
            CHECK(memcmp(place(&back, &t->map, k), place(m, &t->map, k), (size_t)size_of(&t->map, k)) == 0);
        free(back.own);
    }
    free(whole);
    free(single);
}

static void compare_packing(const struct typed *t, struct rng *r, int count) {
    const struct map *map = &t->map;
    int entries = count * map->n, bytes = bytes_of(map, entries), position = 3;
    struct memory in = memory_for(map, count, 0), out = memory_for(map, count, 0x55),
                  must = memory_for(map, count, 0x55);
    unsigned char *data = random_bytes(r, (int)in.bytes), *packed = malloc((size_t)bytes + 3),
                  *next = packed + 3;
    memcpy(in.own, data, in.bytes);
    GOOD(MPI_Pack(in.base, count, t->type, packed, bytes + 3, &position, MPI_COMM_WORLD));
    CHECK(position == bytes + 3);
    for (int k = 0; k < entries; next += size_of(map, k++))
        CHECK(memcmp(next, place(&in, map, k), (size_t)size_of(map, k)) == 0);
    if (is_apart(map, count)) {
        position = 3;
        GOOD(MPI_Unpack(packed, bytes + 3, &position, out.base, count, t->type, MPI_COMM_WORLD));
        scatter(&must, map, entries, packed + 3);
        CHECK(position == bytes + 3 && memcmp(out.own, must.own, out.bytes) == 0);
    }
    compare_external(t, &in, count);
    free(data);
    free(packed);
    free(in.own);
    free(out.own);
    free(must.own);
}

/* ---- messages ---------------------------------------------------------------------------------------- */

/* Make a type of the first `entries` entries, in any places. */
static struct typed with_signature_of(const struct map *map, int entries, struct rng *r) {
    int *lengths = malloc((size_t)entries * sizeof *lengths),
        *order = malloc((size_t)entries * sizeof *order);
    MPI_Aint *at = malloc((size_t)entries * sizeof *at), next = rng_below(r, 9);
    MPI_Datatype *types = malloc((size_t)entries * sizeof *types);
    struct typed t = {.map = {.n = entries, .entry = malloc((size_t)entries * sizeof(struct entry))}};
    int swaps = rng_below(r, 2);
    for (int i = 0; i < entries; i++)
        order[i] = i;
    for (int i = entries - 1; i > 0 && swaps; i--) {
        int j = rng_below(r, i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (int i = 0; i < entries; i++) {
        at[order[i]] = next;
        next += size_of(map, order[i]) + (rng_below(r, 3) ? 0 : rng_below(r, 9));
    }
    for (int i = 0; i < entries; i++) {
        int basic = map->entry[i % map->n].basic;
        lengths[i] = 1;
        types[i] = basics[basic].type;
        t.map.entry[i] = (struct entry){at[i], basic};
    }
    GOOD(MPI_Type_create_struct(entries, lengths, at, types, &t.type));
    GOOD(MPI_Type_commit(&t.type));
    t.map.ub = next;
    free(lengths);
    free(order);
    free(at);
    free(types);
    return t;
}

/* Send from this rank to another, which receives into the type, or a part of an element of it. */
static void compare_message(struct typed *t, struct rng *r, int count) {
    const struct map *map = &t->map;
    int most = count * map->n, entries = 1 + rng_below(r, most), bytes = bytes_of(map, entries);
    if (!is_apart(map, count))
        return;
    struct typed other = with_signature_of(map, entries, r);
    struct memory out = memory_for(&other.map, 1, 0), in = memory_for(map, count, 0x55),
                  must = memory_for(map, count, 0x55);
    unsigned char *data = random_bytes(r, bytes);
    MPI_Status status;
    scatter(&out, &other.map, entries, data);
    scatter(&must, map, entries, data);
    GOOD(MPI_Type_commit(&t->type));
    GOOD(MPI_Sendrecv(out.base, 1, other.type, (rank + 1) % size, 5, in.base, count, t->type,
                      (rank + size - 1) % size, 5, MPI_COMM_WORLD, &status));
    CHECK(memcmp(in.own, must.own, in.bytes) == 0);
    compare_counts(t, entries, &status);
    free(data);
    free(out.own);
    free(in.own);
    free(must.own);
    oracle_free(&other);
}

/* Broadcast from a rank whose type has the same signature. */
static void compare_broadcast(struct typed *t, struct rng *r, int count) {
    const struct map *map = &t->map;
    int entries = count * map->n, bytes = bytes_of(map, entries), root = rng_below(r, size);
    if (!is_apart(map, count))
        return;
    struct typed other = with_signature_of(map, entries, r);
    struct memory out = memory_for(&other.map, 1, 0), in = memory_for(map, count, 0x55),
                  must = memory_for(map, count, 0x55);
    unsigned char *data = random_bytes(r, bytes);
    scatter(&out, &other.map, entries, data);
    scatter(&must, map, entries, data);
    GOOD(MPI_Type_commit(&t->type));
    if (rank == root)
        GOOD(MPI_Bcast(out.base, 1, other.type, root, MPI_COMM_WORLD));
    else
        GOOD(MPI_Bcast(in.base, count, t->type, root, MPI_COMM_WORLD));
    CHECK(rank == root || memcmp(in.own, must.own, in.bytes) == 0);
    free(data);
    free(out.own);
    free(in.own);
    free(must.own);
    oracle_free(&other);
}

/* Exchange between all ranks, with a type for each. */
enum { MOST_RANKS = 16 };

static void compare_alltoallw(void) {
    struct typed gives[MOST_RANKS], gets[MOST_RANKS];
    struct memory out[MOST_RANKS], in[MOST_RANKS], must[MOST_RANKS];
    MPI_Datatype types[2][MOST_RANKS];
    MPI_Aint at[2][MOST_RANKS];
    MPI_Count counts[2][MOST_RANKS];
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            struct rng r = {rng_next(&all)};
            struct typed t = oracle_random(&r, 2);
            int count = rng_below(&r, 4), fits = t.map.n && count && is_apart(&t.map, count);
            int entries = fits ? count * t.map.n : 0, bytes = bytes_of(&t.map, entries);
            unsigned char *data = random_bytes(&r, bytes);
            struct typed other = entries ? with_signature_of(&t.map, entries, &r) : oracle_basic(0);
            GOOD(MPI_Type_commit(&t.type));
            if (rank == i) {
                gives[j] = other;
                out[j] = memory_for(&other.map, 1, 0);
                scatter(&out[j], &other.map, entries, data);
                types[0][j] = other.type;
                counts[0][j] = entries ? 1 : 0;
            }
            if (rank == j) {
                gets[i] = t;
                in[i] = memory_for(&t.map, fits ? count : 0, 0x55);
                must[i] = memory_for(&t.map, fits ? count : 0, 0x55);
                scatter(&must[i], &t.map, entries, data);
                types[1][i] = t.type;
                counts[1][i] = fits ? count : 0;
            }
            if (rank != i)
                oracle_free(&other);
            if (rank != j)
                oracle_free(&t);
            free(data);
        }
    for (int i = 0; i < size; i++) {
        GOOD(MPI_Get_address(out[i].base, &at[0][i]));
        GOOD(MPI_Get_address(in[i].base, &at[1][i]));
    }
    GOOD(MPI_Alltoallw_c(MPI_BOTTOM, counts[0], at[0], types[0], MPI_BOTTOM, counts[1], at[1], types[1],
                         MPI_COMM_WORLD));
    for (int i = 0; i < size; i++) {
        CHECK(memcmp(in[i].own, must[i].own, in[i].bytes) == 0);
        free(in[i].own);
        free(out[i].own);
        free(must[i].own);
        oracle_free(&gives[i]);
        oracle_free(&gets[i]);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static void compare_contents(const struct typed *t) {
    struct typed again = oracle_again(t->type);
    CHECK(again.map.n == t->map.n && again.map.lb == t->map.lb && again.map.ub == t->map.ub);
    for (int i = 0; i < t->map.n; i++)
        CHECK(again.map.entry[i].at == t->map.entry[i].at &&
              again.map.entry[i].basic == t->map.entry[i].basic);
    compare_bounds(&again);
    oracle_free(&again);
}

static void round_of(uint64_t seed) {
    struct rng r = {seed};
    struct typed t = oracle_random(&r, 1 + rng_below(&r, 4));
    int count = 1 + rng_below(&r, rng_below(&r, 4) ? 4 : 40);
    if (t.map.n > 2000)
        count = 1;
    compare_bounds(&t);
    compare_contents(&t);
    if (t.map.n) {
        compare_packing(&t, &r, count);
        compare_message(&t, &r, count);
        compare_broadcast(&t, &r, count);
    }
    oracle_free(&t);
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(size <= MOST_RANKS);
    struct campaign campaign = campaign_of(argc, argv, 200);
    all = rng_for(campaign.seed, 1, 2, 3);
    for (int i = 0; i < campaign.rounds; i++) {
        round_of(rng_next(&all));
        if (i % 4 == 0)
            compare_alltoallw();
    }
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}

#include "oracle.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

const struct basic basics[BASICS] = {
    {MPI_CHAR, 1, 1},
    {MPI_SHORT, sizeof(short), alignof(short)},
    {MPI_INT, sizeof(int), alignof(int)},
    {MPI_FLOAT, sizeof(float), alignof(float)},
    {MPI_DOUBLE, sizeof(double), alignof(double)},
    {MPI_LONG_LONG, sizeof(long long), alignof(long long)},
    {MPI_DOUBLE_INT, 0, 0}, /* as two entries */
};

enum { INT = 2, DOUBLE = 4, DOUBLE_INT = 6 };

/* ---- type maps --------------------------------------------------------------------------------------- */

/* A map that grows, and its bounds: those that the program has set, or else of all entries. */
struct growing {
    struct map map;
    int room, any_set, any;
    MPI_Aint set_lb, set_ub, lb, ub;
};

static void add_entry(struct growing *g, MPI_Aint at, int basic) {
    if (g->map.n == g->room) {
        g->room = 2 * g->room + 8;
        g->map.entry = realloc(g->map.entry, (size_t)g->room * sizeof *g->map.entry);
    }
    g->map.entry[g->map.n++] = (struct entry){at, basic};
}

/* Add one element at a place. */
static void add(struct growing *g, MPI_Aint at, const struct map *of) {
    for (int i = 0; i < of->n; i++)
        add_entry(g, at + of->entry[i].at, of->entry[i].basic);
    if (of->alignment > g->map.alignment)
        g->map.alignment = of->alignment;
    if (of->bounded) {
        g->set_lb = g->any_set && g->set_lb < at + of->lb ? g->set_lb : at + of->lb;
        g->set_ub = g->any_set && g->set_ub > at + of->ub ? g->set_ub : at + of->ub;
        g->any_set = 1;
    } else if (of->n) {
        g->lb = g->any && g->lb < at + of->lb ? g->lb : at + of->lb;
        g->ub = g->any && g->ub > at + of->ub ? g->ub : at + of->ub;
        g->any = 1;
    }
}

static void add_block(struct growing *g, MPI_Aint at, MPI_Count count, const struct map *of) {
    for (MPI_Count i = 0; i < count; i++)
        add(g, at + (MPI_Aint)i * (of->ub - of->lb), of);
}

static struct map whole(const struct growing *g) {
    struct map map = g->map;
    map.bounded = g->any_set;
    map.lb = g->any_set ? g->set_lb : g->any ? g->lb : 0;
    map.ub = g->any_set ? g->set_ub : g->any ? g->ub : 0;
    return map;
}

struct typed oracle_basic(int i) {
    struct growing g = {.map.alignment = 1};
    struct typed t = {.type = basics[i].type};
    if (i == DOUBLE_INT) {
        struct {
            double a;
            int b;
        } pair;
        add_entry(&g, 0, DOUBLE);
        add_entry(&g, (MPI_Aint)offsetof(__typeof__(pair), b), INT);
        t.map = g.map;
        t.map.ub = sizeof pair;
        t.map.alignment = alignof(__typeof__(pair));
    } else {
        add_entry(&g, 0, i);
        t.map = g.map;
        t.map.ub = basics[i].size;
        t.map.alignment = basics[i].alignment;
    }
    return t;
}

/* ---- arrays ------------------------------------------------------------------------------------------ */

/* Return 1 if index i of dimension d belongs to the recipe's part. */
static int is_taken(const struct recipe *r, int dims, int d, MPI_Count i) {
    const MPI_Count *n = r->number;
    if (r->combiner == MPI_COMBINER_SUBARRAY)
        return i >= n[1 + 2 * dims + d] && i < n[1 + 2 * dims + d] + n[1 + dims + d];
    MPI_Count way = n[3 + dims + d], block = n[3 + 2 * dims + d], processes = n[3 + 3 * dims + d],
              place = n[1];
    for (int k = dims - 1; k > d; k--)
        place /= n[3 + 3 * dims + k];
    place %= processes;
    if (way == MPI_DISTRIBUTE_NONE)
        return 1;
    if (block == MPI_DISTRIBUTE_DFLT_DARG)
        block = way == MPI_DISTRIBUTE_BLOCK ? (n[3 + d] + processes - 1) / processes : 1;
    return i / block % processes == place;
}

static void add_array(struct growing *g, const struct recipe *r) {
    int subarray = r->combiner == MPI_COMBINER_SUBARRAY, dims = (int)r->number[subarray ? 0 : 2];
    const MPI_Count *size = &r->number[subarray ? 1 : 3];
    const struct map *of = &r->type[0].map;
    MPI_Count all = 1;
    for (int d = 0; d < dims; d++)
        all *= size[d];
    for (MPI_Count k = 0; k < all; k++) {
        MPI_Count rest = k;
        int taken = 1, c = r->number[r->numbers - 1] == MPI_ORDER_C;
        for (int j = 0; j < dims; j++) {
            int d = c ? dims - 1 - j : j; /* the fastest one first */
            taken &= is_taken(r, dims, d, rest % size[d]);
            rest /= size[d];
        }
        if (taken)
            add(g, (MPI_Aint)k * (of->ub - of->lb), of);
    }
    g->any_set = 1;
    g->set_lb = 0;
    g->set_ub = (MPI_Aint)all * (of->ub - of->lb);
}

/* ---- recipes ----------------------------------------------------------------------------------------- */

static struct map map_of(const struct recipe *r) {
    struct growing g = {.map.alignment = 1};
    const MPI_Count *n = r->number, blocks = n[0];
    const struct map *of = &r->type[0].map;
    MPI_Aint extent = of->ub - of->lb;
    struct map map;
    switch (r->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        add_block(&g, 0, n[0], of);
        break;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
        for (MPI_Count i = 0; i < blocks; i++)
            add_block(&g, (MPI_Aint)(i * n[2]) * (r->combiner == MPI_COMBINER_VECTOR ? extent : 1), n[1], of);
        break;
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
        for (MPI_Count i = 0; i < blocks; i++)
            add_block(&g, (MPI_Aint)n[1 + blocks + i] * (r->combiner == MPI_COMBINER_INDEXED ? extent : 1),
                      n[1 + i], of);
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        for (MPI_Count i = 0; i < blocks; i++)
            add_block(&g, (MPI_Aint)n[2 + i] * (r->combiner == MPI_COMBINER_INDEXED_BLOCK ? extent : 1), n[1],
                      of);
        break;
    case MPI_COMBINER_STRUCT:
        for (MPI_Count i = 0; i < blocks; i++)
            add_block(&g, (MPI_Aint)n[1 + blocks + i], n[1 + i], &r->type[i].map);
        break;
    case MPI_COMBINER_SUBARRAY:
    case MPI_COMBINER_DARRAY:
        add_array(&g, r);
        break;
    default:
        add(&g, 0, of);
    }
    map = whole(&g);
    if (r->combiner == MPI_COMBINER_RESIZED) {
        map.lb = (MPI_Aint)n[0];
        map.ub = (MPI_Aint)(n[0] + n[1]);
        map.bounded = 1;
    }
    if (r->combiner == MPI_COMBINER_STRUCT && !map.bounded)
        while ((map.ub - map.lb) % map.alignment)
            map.ub++;
    return map;
}

static MPI_Datatype make_small(const struct recipe *r) {
    int n[MOST_NUMBERS];
    MPI_Aint a[MOST_NUMBERS];
    MPI_Datatype types[MOST_TYPES], of = r->type[0].type, made;
    int count = (int)r->number[0], dims;
    for (int i = 0; i < r->numbers; i++) {
        n[i] = (int)r->number[i];
        a[i] = (MPI_Aint)r->number[i];
    }
    for (int i = 0; i < r->types; i++)
        types[i] = r->type[i].type;
    switch (r->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        GOOD(MPI_Type_contiguous(count, of, &made));
        break;
    case MPI_COMBINER_VECTOR:
        GOOD(MPI_Type_vector(count, n[1], n[2], of, &made));
        break;
    case MPI_COMBINER_HVECTOR:
        GOOD(MPI_Type_create_hvector(count, n[1], a[2], of, &made));
        break;
    case MPI_COMBINER_INDEXED:
        GOOD(MPI_Type_indexed(count, n + 1, n + 1 + count, of, &made));
        break;
    case MPI_COMBINER_HINDEXED:
        GOOD(MPI_Type_create_hindexed(count, n + 1, a + 1 + count, of, &made));
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        GOOD(MPI_Type_create_indexed_block(count, n[1], n + 2, of, &made));
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        GOOD(MPI_Type_create_hindexed_block(count, n[1], a + 2, of, &made));
        break;
    case MPI_COMBINER_STRUCT:
        GOOD(MPI_Type_create_struct(count, n + 1, a + 1 + count, types, &made));
        break;
    case MPI_COMBINER_SUBARRAY:
        GOOD(MPI_Type_create_subarray(count, n + 1, n + 1 + count, n + 1 + 2 * count, n[1 + 3 * count], of,
                                      &made));
        break;
    case MPI_COMBINER_DARRAY:
        dims = n[2];
        GOOD(MPI_Type_create_darray(n[0], n[1], dims, n + 3, n + 3 + dims, n + 3 + 2 * dims, n + 3 + 3 * dims,
                                    n[3 + 4 * dims], of, &made));
        break;
    case MPI_COMBINER_RESIZED:
        GOOD(MPI_Type_create_resized(of, a[0], a[1], &made));
        break;
    default:
        GOOD(MPI_Type_dup(of, &made));
    }
    return made;
}

static MPI_Datatype make_large(const struct recipe *r) {
    int n[MOST_NUMBERS], dims;
    const MPI_Count *c = r->number;
    MPI_Datatype types[MOST_TYPES], of = r->type[0].type, made;
    for (int i = 0; i < r->numbers; i++)
        n[i] = (int)c[i];
    for (int i = 0; i < r->types; i++)
        types[i] = r->type[i].type;
    switch (r->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        GOOD(MPI_Type_contiguous_c(c[0], of, &made));
        break;
    case MPI_COMBINER_VECTOR:
        GOOD(MPI_Type_vector_c(c[0], c[1], c[2], of, &made));
        break;
    case MPI_COMBINER_HVECTOR:
        GOOD(MPI_Type_create_hvector_c(c[0], c[1], c[2], of, &made));
        break;
    case MPI_COMBINER_INDEXED:
        GOOD(MPI_Type_indexed_c(c[0], c + 1, c + 1 + c[0], of, &made));
        break;
    case MPI_COMBINER_HINDEXED:
        GOOD(MPI_Type_create_hindexed_c(c[0], c + 1, c + 1 + c[0], of, &made));
        break;
    case MPI_COMBINER_INDEXED_BLOCK:
        GOOD(MPI_Type_create_indexed_block_c(c[0], c[1], c + 2, of, &made));
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        GOOD(MPI_Type_create_hindexed_block_c(c[0], c[1], c + 2, of, &made));
        break;
    case MPI_COMBINER_STRUCT:
        GOOD(MPI_Type_create_struct_c(c[0], c + 1, c + 1 + c[0], types, &made));
        break;
    case MPI_COMBINER_SUBARRAY:
        dims = n[0];
        GOOD(MPI_Type_create_subarray_c(dims, c + 1, c + 1 + dims, c + 1 + 2 * dims, n[1 + 3 * dims], of,
                                        &made));
        break;
    case MPI_COMBINER_DARRAY:
        dims = n[2];
        GOOD(MPI_Type_create_darray_c(n[0], n[1], dims, c + 3, n + 3 + dims, n + 3 + 2 * dims,
                                      n + 3 + 3 * dims, n[3 + 4 * dims], of, &made));
        break;
    case MPI_COMBINER_RESIZED:
        GOOD(MPI_Type_create_resized_c(of, c[0], c[1], &made));
        break;
    default:
        GOOD(MPI_Type_dup(of, &made));
    }
    return made;
}

struct typed oracle_make(const struct recipe *recipe) {
    return (struct typed){recipe->large ? make_large(recipe) : make_small(recipe), map_of(recipe)};
}

void oracle_free(struct typed *t) {
    int combiner;
    MPI_Count none;
    GOOD(MPI_Type_get_envelope_c(t->type, &none, &none, &none, &none, &combiner));
    if (combiner != MPI_COMBINER_NAMED)
        GOOD(MPI_Type_free(&t->type));
    free(t->map.entry);
}

/* ---- from contents ------------------------------------------------------------------------------------- */

struct typed oracle_again(MPI_Datatype type) {
    MPI_Count n[4];
    struct recipe r = {0};
    int integer[MOST_NUMBERS], k = 0, dims;
    MPI_Aint address[MOST_NUMBERS];
    MPI_Count large[MOST_NUMBERS];
    MPI_Datatype types[MOST_TYPES];
    GOOD(MPI_Type_get_envelope_c(type, &n[0], &n[1], &n[2], &n[3], &r.combiner));
    if (r.combiner == MPI_COMBINER_NAMED) {
        for (int i = 0; i < BASICS; i++)
            if (basics[i].type == type)
                return oracle_basic(i);
        CHECK(!"a basic type of the table");
    }
    CHECK(n[0] + n[1] + n[2] <= MOST_NUMBERS && n[3] <= MOST_TYPES);
    r.large = n[2] > 0;
    r.types = (int)n[3];
    if (r.large) {
        GOOD(MPI_Type_get_contents_c(type, n[0], n[1], n[2], n[3], integer, address, large, types));
    } else {
        int small[3], combiner;
        GOOD(MPI_Type_get_envelope(type, &small[0], &small[1], &small[2], &combiner));
        CHECK(small[0] == n[0] && small[1] == n[1] && small[2] == n[3] && combiner == r.combiner);
        GOOD(MPI_Type_get_contents(type, small[0], small[1], small[2], integer, address, types));
    }
    dims = r.combiner == MPI_COMBINER_DARRAY ? integer[2] : integer[0];
    /* in the large form the integers of arrays stand around the large counts */
    int before = r.combiner == MPI_COMBINER_SUBARRAY ? 1 : r.combiner == MPI_COMBINER_DARRAY ? 3 : 0;
    for (int i = 0; i < (r.large ? before : n[0]); i++)
        r.number[k++] = integer[i];
    for (int i = 0; i < n[1]; i++)
        r.number[k++] = address[i];
    for (int i = 0; i < n[2]; i++)
        r.number[k++] = large[i];
    for (int i = before; i < n[0] && r.large; i++)
        r.number[k++] = integer[i];
    r.numbers = k;
    if (r.combiner == MPI_COMBINER_SUBARRAY)
        CHECK(k == 3 * dims + 2);
    if (r.combiner == MPI_COMBINER_DARRAY)
        CHECK(k == 4 * dims + 4);
    for (int i = 0; i < r.types; i++)
        r.type[i] = oracle_again(types[i]);
    struct typed made = oracle_make(&r);
    for (int i = 0; i < r.types; i++) {
        int combiner;
        GOOD(MPI_Type_get_envelope_c(types[i], &n[0], &n[1], &n[2], &n[3], &combiner));
        if (combiner != MPI_COMBINER_NAMED)
            GOOD(MPI_Type_free(&types[i]));
        oracle_free(&r.type[i]);
    }
    return made;
}

/* ---- random ones --------------------------------------------------------------------------------------- */

/* Choose displacements of n blocks, whose lengths are `length[i]` times a unit: one after the other with
 * gaps, some in another order. */
static void displace(struct rng *r, int n, const MPI_Count *length, MPI_Count unit, int gap, MPI_Count *to) {
    MPI_Count at = rng_below(r, 4) - 1;
    for (int i = 0; i < n; i++) {
        to[i] = at;
        at += length[i] * unit + rng_below(r, gap);
    }
    if (rng_below(r, 3) == 0)
        for (int i = n - 1; i > 0; i--) {
            int j = rng_below(r, i + 1);
            MPI_Count kept = to[i];
            to[i] = to[j];
            to[j] = kept;
        }
    if (length[0] != length[n - 1] || n == 1)
        return;
    if (rng_below(r, 4) == 0) /* at one step, which may be backwards */
        for (int i = 0, back = rng_below(r, 2); i < n; i++)
            to[back ? n - 1 - i : i] = i * (length[0] * unit + gap);
}

static void random_array(struct rng *r, struct recipe *to) {
    int dims = 1 + rng_below(r, 3), subarray = to->combiner == MPI_COMBINER_SUBARRAY;
    MPI_Count *n = to->number, processes = 1;
    int order = rng_below(r, 2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    n[subarray ? 0 : 2] = dims;
    for (int d = 0; d < dims; d++) {
        MPI_Count size = 1 + rng_below(r, 6), part = 1 + rng_below(r, (int)size);
        if (subarray) {
            n[1 + d] = size;
            n[1 + dims + d] = part;
            n[1 + 2 * dims + d] = rng_below(r, (int)(size - part + 1));
            continue;
        }
        int way = (int[]){MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}[rng_below(r, 3)];
        MPI_Count own = way == MPI_DISTRIBUTE_NONE ? 1 : 1 + rng_below(r, 3);
        MPI_Count least = way == MPI_DISTRIBUTE_BLOCK ? (size + own - 1) / own : 1;
        n[3 + d] = size;
        n[3 + dims + d] = way;
        n[3 + 2 * dims + d] = rng_below(r, 2) ? MPI_DISTRIBUTE_DFLT_DARG : least + rng_below(r, 3);
        n[3 + 3 * dims + d] = own;
        processes *= own;
    }
    to->numbers = subarray ? 3 * dims + 2 : 4 * dims + 4;
    n[to->numbers - 1] = order;
    if (!subarray) {
        n[0] = processes;
        n[1] = rng_below(r, (int)processes);
    }
}

struct typed oracle_random(struct rng *r, int depth) {
    static const int combiners[] = {MPI_COMBINER_CONTIGUOUS,
                                    MPI_COMBINER_VECTOR,
                                    MPI_COMBINER_HVECTOR,
                                    MPI_COMBINER_INDEXED,
                                    MPI_COMBINER_HINDEXED,
                                    MPI_COMBINER_INDEXED_BLOCK,
                                    MPI_COMBINER_HINDEXED_BLOCK,
                                    MPI_COMBINER_STRUCT,
                                    MPI_COMBINER_STRUCT,
                                    MPI_COMBINER_SUBARRAY,
                                    MPI_COMBINER_DARRAY,
                                    MPI_COMBINER_RESIZED,
                                    MPI_COMBINER_DUP};
    if (depth == 0)
        return oracle_basic(rng_below(r, BASICS));
    struct recipe to = {.combiner = combiners[rng_below(r, 13)], .large = rng_below(r, 2), .types = 1};
    int blocks = 1 + rng_below(r, 4), together = rng_below(r, 3);
    MPI_Count *n = to.number, lengths[4];
    if (rng_below(r, 30) == 0)
        blocks = 0;
    if (to.combiner == MPI_COMBINER_STRUCT)
        to.types = blocks;
    for (int i = 0; i < to.types; i++)
        to.type[i] = oracle_random(r, rng_below(r, depth));
    const struct map *of = &to.type[0].map;
    MPI_Count extent = of->ub - of->lb, unit = 1;
    for (int i = 0; i < 4; i++)
        lengths[i] = together ? together : rng_below(r, 4);
    n[0] = blocks;
    switch (to.combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        to.numbers = 1;
        break;
    case MPI_COMBINER_HVECTOR:
        unit = extent;
        /* fall through */
    case MPI_COMBINER_VECTOR:
        to.numbers = 3;
        n[1] = lengths[0];
        n[2] = (lengths[0] * unit + rng_below(r, 5)) * (rng_below(r, 4) ? 1 : -1);
        break;
    case MPI_COMBINER_HINDEXED:
        unit = extent;
        /* fall through */
    case MPI_COMBINER_INDEXED:
        to.numbers = 1 + 2 * blocks;
        memcpy(n + 1, lengths, (size_t)blocks * sizeof *n);
        if (blocks)
            displace(r, blocks, lengths, unit, 3, n + 1 + blocks);
        break;
    case MPI_COMBINER_HINDEXED_BLOCK:
        unit = extent;
        /* fall through */
    case MPI_COMBINER_INDEXED_BLOCK:
        to.numbers = 2 + blocks;
        n[1] = lengths[0];
        for (int i = 1; i < 4; i++)
            lengths[i] = lengths[0];
        if (blocks)
            displace(r, blocks, lengths, unit, 4, n + 2);
        break;
    case MPI_COMBINER_STRUCT:
        to.numbers = 1 + 2 * blocks;
        memcpy(n + 1, lengths, (size_t)blocks * sizeof *n);
        for (int i = 0; i < blocks; i++) /* in bytes, the unit of their displacements */
            lengths[i] *= to.type[i].map.ub - to.type[i].map.lb;
        if (blocks)
            displace(r, blocks, lengths, 1, 9, n + 1 + blocks);
        break;
    case MPI_COMBINER_RESIZED:
        to.numbers = 2;
        n[0] = of->lb - rng_below(r, 3);
        n[1] = extent + rng_below(r, 9);
        break;
    case MPI_COMBINER_DUP:
        to.numbers = 0;
        break;
    default:
        random_array(r, &to);
    }
    struct typed made = oracle_make(&to);
    for (int i = 0; i < to.types; i++)
        oracle_free(&to.type[i]);
    return made;
}

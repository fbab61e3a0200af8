/* Derived types: the same elements, in many ways. What a layout says of itself is computed here, not asked of
 * MPI. */

#include <string.h>

#include "random.h"

void layout_plain(struct layout *l, const struct basic *b) {
    *l = (struct layout){b->type, "", false, 1, {0}, (ptrdiff_t)b->size};
}

void layout_free(struct layout *l) {
    if (l->own)
        MPI_Type_free(&l->type);
}

static void shuffle(int *order, int n, struct rng *r) {
    for (int i = 0; i < n; i++) {
        int other = rng_below(r, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

/* Elements at `place` (in elements); the extent spans from the first to the last. */
static void lay(struct layout *l, const int *place, ptrdiff_t size) {
    int low = place[0], high = place[0];
    for (int i = 0; i < l->per; i++) {
        l->offset[i] = place[i] * size;
        low = place[i] < low ? place[i] : low;
        high = place[i] > high ? place[i] : high;
    }
    l->extent = (high - low + 1) * size;
}

static void make_vector(struct layout *l, const struct basic *b, struct rng *r, bool bytes) {
    int length = l->per % 2 == 0 && rng_below(r, 2) ? 2 : 1, stride = length + rng_below(r, 4);
    int place[MAX_PER] = {0};
    for (int i = 0; i < l->per; i++)
        place[i] = i / length * stride + i % length;
    lay(l, place, (ptrdiff_t)b->size);
    l->kind = bytes ? "hvector" : "vector";
    if (bytes)
        MPI_Type_create_hvector(l->per / length, length, stride * (MPI_Aint)b->size, b->type, &l->type);
    else
        MPI_Type_vector(l->per / length, length, stride, b->type, &l->type);
}

/* Make a type whose blocks are in any order, with gaps. */
static void make_indexed(struct layout *l, const struct basic *b, struct rng *r, bool as_struct) {
    int order[MAX_PER], place[MAX_PER] = {0}, ones[MAX_PER], first = rng_below(r, 3),
                        stride = 1 + rng_below(r, 3);
    MPI_Aint at[MAX_PER];
    MPI_Datatype types[MAX_PER];
    shuffle(order, l->per, r);
    for (int i = 0; i < l->per; i++) {
        place[i] = first + order[i] * stride;
        at[i] = place[i] * (MPI_Aint)b->size;
        ones[i] = 1;
        types[i] = b->type;
    }
    lay(l, place, (ptrdiff_t)b->size);
    l->kind = as_struct ? "struct" : "indexed";
    if (as_struct)
        MPI_Type_create_struct(l->per, ones, at, types, &l->type);
    else
        MPI_Type_indexed(l->per, ones, place, b->type, &l->type);
}

/* Another lower bound, and room behind. */
static void make_resized(struct layout *l, const struct basic *b, struct rng *r) {
    MPI_Datatype inner;
    make_vector(l, b, r, false);
    inner = l->type;
    MPI_Aint low = (rng_below(r, 5) - 2) * (MPI_Aint)b->size;
    l->extent += rng_below(r, 3) * (ptrdiff_t)b->size;
    l->kind = "resized";
    MPI_Type_create_resized(inner, low, l->extent, &l->type);
    MPI_Type_free(&inner);
}

/* A window of an array of two dimensions. */
static void make_subarray(struct layout *l, const struct basic *b, struct rng *r) {
    int columns = l->per % 3 == 0 ? 3 : 1, rows = l->per / columns;
    int sizes[2] = {rows + rng_below(r, 3), columns + rng_below(r, 3)}, parts[2] = {rows, columns};
    int from[2] = {rng_below(r, sizes[0] - rows + 1), rng_below(r, sizes[1] - columns + 1)};
    for (int i = 0; i < l->per; i++) {
        int row = from[0] + i / columns, column = from[1] + i % columns;
        l->offset[i] = (row * sizes[1] + column) * (ptrdiff_t)b->size;
    }
    l->extent = sizes[0] * sizes[1] * (ptrdiff_t)b->size;
    l->kind = "subarray";
    MPI_Type_create_subarray(2, sizes, parts, from, MPI_ORDER_C, b->type, &l->type);
}

static void make_contiguous(struct layout *l, const struct basic *b) {
    int place[MAX_PER] = {0};
    for (int i = 0; i < l->per; i++)
        place[i] = i;
    lay(l, place, (ptrdiff_t)b->size);
    l->kind = "contiguous";
    MPI_Type_contiguous(l->per, b->type, &l->type);
}

static void make_dup(struct layout *l, const struct basic *b) {
    layout_plain(l, b);
    l->kind = "dup";
    MPI_Type_dup(b->type, &l->type);
}

void layout_make(struct layout *l, const struct basic *b, struct rng *r, int unit) {
    static const int pers[] = {1, 2, 3, 4, 6, 12};
    *l = (struct layout){.per = pers[rng_below(r, unit == 1 ? 1 : 6)]};
    switch (rng_below(r, 10)) {
    case 0:
        make_vector(l, b, r, false);
        break;
    case 1:
        make_vector(l, b, r, true);
        break;
    case 2:
        make_indexed(l, b, r, false);
        break;
    case 3:
        make_indexed(l, b, r, true);
        break;
    case 4:
        make_resized(l, b, r);
        break;
    case 5:
        make_subarray(l, b, r);
        break;
    case 6:
        make_contiguous(l, b);
        break;
    case 7:
        make_dup(l, b);
        break;
    default:
        layout_plain(l, b);
        return;
    }
    l->own = true;
    MPI_Type_commit(&l->type);
}

/* The operations of reductions, and the types that this program makes. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static const struct {
    const char *name;
    MPI_Op handle;
    unsigned families;
    bool own, commutes;
} rows[] = {
#define X(name, op, families) {#name, op, families, OP_##name >= OP_FIRST, OP_##name == OP_JOIN},
    OPERATIONS(X)
#undef X
};

/* The program's own operations: made by types_start, constant while the program runs. */
static MPI_Op own[OPERATION_COUNT], own_large[OPERATION_COUNT];

static const struct basic *basic_of(MPI_Datatype type) {
    for (int i = 0; i < basic_count; i++)
        if (basics[i].type == type)
            return &basics[i];
    fprintf(stderr, "random: an operation of this program was called with a type that it was not given\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
    return NULL;
}

/* Combine: inout = in (op) inout, element by element; the gaps in an element stay as they are. */
static void apply(enum operation operation, const void *in, void *inout, long long length,
                  MPI_Datatype type) {
    const struct basic *basic = basic_of(type);
    uint64_t result[8];
    for (long long i = 0; i < length; i++) {
        const char *a = (const char *)in + (size_t)i * basic->size;
        char *b = (char *)inout + (size_t)i * basic->size;
        memcpy(result, a, basic->size);
        basic->fold(operation, result, b);
        size_t whole = basic->size;
        if (basic->family == COMPOSED && basic->size == 32) { /* see struct affine_apart */
            memcpy(b + 16, &result[2], 8);
            whole = 8;
        }
        memcpy(b, result, whole);
    }
}

#define OWN(X) X(FIRST) X(LAST) X(JOIN) X(COMPOSE)

#define X(name)                                                                                              \
    static void own_##name(void *in, void *inout, int *length, MPI_Datatype *type) {                         \
        apply(OP_##name, in, inout, *length, *type);                                                         \
    }
OWN(X)
#undef X

#if LARGE_COUNTS
#define X(name)                                                                                              \
    static void large_##name(void *in, void *inout, MPI_Count *length, MPI_Datatype *type) {                 \
        apply(OP_##name, in, inout, *length, *type);                                                         \
    }
OWN(X)
#undef X
#endif

/* Make a type of the fields at these displacements; its extent is `size` bytes. */
static MPI_Datatype make_type(int fields, const int *lengths, const MPI_Aint *at, const MPI_Datatype *types,
                              size_t size) {
    MPI_Datatype packed, type;
    MPI_Type_create_struct(fields, lengths, at, types, &packed);
    MPI_Type_create_resized(packed, 0, (MPI_Aint)size, &type);
    MPI_Type_free(&packed);
    MPI_Type_commit(&type);
    return type;
}

/* Return true if a type of Fortran exists and has the size of the C type that stands for it here. */
static bool usable(const struct basic *basic) {
    if (basic->type == MPI_DATATYPE_NULL)
        return false;
    MPI_Aint low, extent;
    MPI_Type_get_extent(basic->type, &low, &extent);
    return low == 0 && extent == (MPI_Aint)basic->size;
}

void types_start(void) {
    for (int i = 0; i < basic_count; i++) {
        struct basic *b = &basics[i];
        if (strcmp(b->name, "a struct with holes") == 0)
            b->type = make_type(3, (int[]){1, 1, 3}, (MPI_Aint[]){0, 8, 16},
                                (MPI_Datatype[]){MPI_INT32_T, MPI_DOUBLE, MPI_CHAR}, b->size);
        else if (b->family == COMPOSED)
            b->type = make_type(2, (int[]){1, 1}, (MPI_Aint[]){0, b->size == 32 ? 16 : 8},
                                (MPI_Datatype[]){MPI_UINT64_T, MPI_UINT64_T}, b->size);
        else if (!usable(b))
            b->type = MPI_DATATYPE_NULL;
    }
#define X(name) MPI_Op_create(own_##name, rows[OP_##name].commutes, &own[OP_##name]);
    OWN(X)
#undef X
#if LARGE_COUNTS
#define X(name) MPI_Op_create_c(large_##name, rows[OP_##name].commutes, &own_large[OP_##name]);
    OWN(X)
#undef X
#endif
}

void types_stop(void) {
    for (int i = 0; i < basic_count; i++)
        if (basics[i].family == COMPOSED || strcmp(basics[i].name, "a struct with holes") == 0)
            MPI_Type_free(&basics[i].type);
    for (int i = OP_FIRST; i < OPERATION_COUNT; i++) {
        MPI_Op_free(&own[i]);
        if (LARGE_COUNTS)
            MPI_Op_free(&own_large[i]);
    }
}

MPI_Op operation_handle(enum operation operation, bool large) {
    if (!rows[operation].own)
        return rows[operation].handle;
    return large ? own_large[operation] : own[operation];
}

const char *operation_name(enum operation operation) {
    return operation == OPERATION_COUNT ? "" : rows[operation].name;
}

/* Return true if the library combines the elements of two ranks as this program does. */
static bool is_right(const struct basic *basic, enum operation operation) {
    enum { TRIES = 64 };
    static _Alignas(16) char left[TRIES * 64], right[TRIES * 64], before[TRIES * 64], want[64];
    for (int i = 0; i < TRIES; i++) {
        struct rng r = rng_for(1, (uint64_t)i, (uint64_t)operation, VALUE);
        basic->draw(left + (size_t)i * basic->size, rng_next(&r), &(struct manner){operation, 0, 2});
        basic->draw(right + (size_t)i * basic->size, rng_next(&r), &(struct manner){operation, 1, 2});
    }
    memcpy(before, right, sizeof before);
    MPI_Reduce_local(left, right, TRIES, basic->type, rows[operation].handle);
    for (int i = 0; i < TRIES; i++) {
        memcpy(want, left + (size_t)i * basic->size, basic->size);
        basic->fold(operation, want, before + (size_t)i * basic->size);
        long double slack = basic->magnitude ? basic->magnitude(want) * basic->epsilon * 8 : 0;
        if (!basic->equal(want, right + (size_t)i * basic->size, slack))
            return false;
    }
    return true;
}

void operations_try(int me) {
    for (int operation = 0; operation < OP_FIRST; operation++) {
        bool some = false;
        for (int i = 0; i < basic_count; i++) {
            if (basics[i].type == MPI_DATATYPE_NULL ||
                !operation_takes((enum operation)operation, &basics[i]) ||
                is_right(&basics[i], (enum operation)operation))
                continue;
            basics[i].wrong |= 1u << operation;
            if (me == 0 && !some)
                printf(
                    "random: MPI_Reduce_local of this library is wrong in this and it is left out: MPI_%s of",
                    rows[operation].name);
            if (me == 0)
                printf(" %s", basics[i].name);
            some = true;
        }
        if (me == 0 && some)
            printf("\n");
    }
}

bool operation_takes(enum operation operation, const struct basic *basic) {
    if (!(rows[operation].families >> basic->family & 1) || basic->wrong >> operation & 1)
        return false;
    return !rows[operation].own || basic->family == COMPOSED || basic->type == MPI_INT ||
           basic->type == MPI_DOUBLE;
}

/* Predefined types that are found by the values that they must hold. */

#include "library/calls.h"
#include "library/type/datatype.h"
#include "library/type/predefined.h"

int uno_mpi_type_match_size(int typeclass, int size, MPI_Datatype *datatype) {
    static const struct {
        int class, size;
        MPI_Datatype type;
    } known[] = {
        {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
        {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
        {MPI_TYPECLASS_REAL, 4, MPI_REAL4},         {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
        {MPI_TYPECLASS_REAL, 16, MPI_REAL16},       {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32},
        {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16}, {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},
        {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16}, {MPIX_TYPECLASS_LOGICAL, 1, MPI_LOGICAL1},
        {MPIX_TYPECLASS_LOGICAL, 2, MPI_LOGICAL2},  {MPIX_TYPECLASS_LOGICAL, 4, MPI_LOGICAL4},
        {MPIX_TYPECLASS_LOGICAL, 8, MPI_LOGICAL8},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].class == typeclass && known[i].size == size) {
            *datatype = known[i].type;
            return MPI_SUCCESS;
        }
    return uno_error(MPI_ERR_ARG, "there is no type of class %d that has %d bytes", typeclass, size);
}

int uno_mpi_type_get_value_index(struct uno_mpi_type *value_type, struct uno_mpi_type *index_type,
                                 MPI_Datatype *pair_type) {
    static const struct {
        MPI_Datatype value, index, pair;
    } known[] = {
        {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
        {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
        {MPI_LONG, MPI_INT, MPI_LONG_INT},
        {MPI_INT, MPI_INT, MPI_2INT},
        {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
        {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
        {MPI_REAL, MPI_REAL, MPI_2REAL},
        {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
        {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER},
    };
    *pair_type = MPI_DATATYPE_NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((uintptr_t)known[i].value == value_type->object.handle &&
            (uintptr_t)known[i].index == index_type->object.handle)
            *pair_type = known[i].pair;
    return MPI_SUCCESS;
}

/* ---- by what Fortran's selected kinds say: `digits` decimal ones, exponents of up to `range` -------------
 */

/* The type of these contents that has been given out before, or NULL: the same numbers give the same handle.
 */
static struct uno_mpi_type *given(int combiner, const int *number, int numbers) {
    for (int i = 0; i < uno_rank->store.objects; i++) {
        struct uno_mpi_type *t = (struct uno_mpi_type *)(void *)uno_rank->store.object[i];
        if (t->object.kind == UNO_TYPE && t->stays && t->contents.combiner == combiner &&
            t->contents.integer[0] == number[0] && t->contents.integer[numbers - 1] == number[numbers - 1])
            return t;
    }
    return NULL;
}

static int give(int combiner, const int *number, int numbers, MPI_Datatype of, MPI_Datatype *newtype) {
    struct uno_mpi_type *t = given(combiner, number, numbers);
    if (!t) {
        t = uno_type_begin(combiner, false, numbers, 0, 0);
        if (!t)
            return uno_error(MPI_ERR_NO_MEM, "out of memory");
        const struct uno_mpi_type *same = uno_find_type(of);
        for (int i = 0; i < numbers; i++)
            t->contents.integer[i] = number[i];
        t->layout = same->layout;
        t->alignment = same->alignment;
        t->elements = same->elements;
        t->sequence = same->sequence;
        t->mark = same->mark;
        t->pattern = same->pattern;
        t->same = same;
        t->stays = t->committed = true;
    }
    *newtype = (MPI_Datatype)t->object.handle;
    return MPI_SUCCESS;
}

/* The smaller of two kinds of real numbers that is enough, as its place; -1: neither is. */
static int kind_of(int digits, int range) {
    static const int has[2][2] = {{6, 37}, {15, 307}};
    for (int i = 0; i < 2; i++)
        if ((digits == MPI_UNDEFINED || digits <= has[i][0]) &&
            (range == MPI_UNDEFINED || range <= has[i][1]))
            return i;
    return -1;
}

static int real(int combiner, int p, int r, const MPI_Datatype types[2], MPI_Datatype *newtype) {
    int kind = kind_of(p, r);
    if (p == MPI_UNDEFINED && r == MPI_UNDEFINED)
        return uno_error(MPI_ERR_ARG, "p and r are both MPI_UNDEFINED");
    if (kind < 0)
        return uno_error(MPI_ERR_ARG, "no type has %d digits and a range of %d", p, r);
    return give(combiner, (int[]){p, r}, 2, types[kind], newtype);
}

int uno_mpi_type_create_f90_real(int p, int r, MPI_Datatype *newtype) {
    return real(MPI_COMBINER_F90_REAL, p, r, (MPI_Datatype[]){MPI_REAL, MPI_DOUBLE_PRECISION}, newtype);
}

int uno_mpi_type_create_f90_complex(int p, int r, MPI_Datatype *newtype) {
    return real(MPI_COMBINER_F90_COMPLEX, p, r, (MPI_Datatype[]){MPI_COMPLEX, MPI_DOUBLE_COMPLEX}, newtype);
}

int uno_mpi_type_create_f90_integer(int r, MPI_Datatype *newtype) {
    static const MPI_Datatype types[] = {MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8};
    static const int range[] = {2, 4, 9, 18};
    for (int i = 0; i < 4; i++)
        if (r <= range[i])
            return give(MPI_COMBINER_F90_INTEGER, &r, 1, types[i], newtype);
    return uno_error(MPI_ERR_ARG, "no type has a range of %d digits", r);
}

#include "library/type/predefined.h"

#include <stddef.h>
#include <stdio.h>
#include <wchar.h>

#include "library/type/datatype.h"
#include "library/type/sequence.h"
#include "types.def"

#define AT(handle) [(uintptr_t)(handle)-UNO_TYPES_FROM]
#define HEAD(name) .object = {.handle = (uintptr_t)(name), .kind = UNO_TYPE}

/* The layout of elements that are packed as one run. */
#define DENSE(c_type, numbers)                                                                               \
    .layout = {.size = sizeof(c_type),                                                                       \
               .extent = sizeof(c_type),                                                                     \
               .true_extent = sizeof(c_type),                                                                \
               .plain = true},                                                                               \
    .alignment = _Alignof(c_type), .committed = true, .elements = 1, .sequence = (numbers),                  \
    .mark = UNO_SEQUENCE_MARK(numbers), .pattern = {.kind = UNO_RUN, .bytes = sizeof(c_type)},               \
    .contents = {.combiner = MPI_COMBINER_NAMED}

/* True if a type name fits a C type; MPI_BYTE and MPI_PACKED count as numbers that their C types are not. */
#define FITS(name, type) ((uintptr_t)(name) == (uintptr_t)(type))
#define SEQUENCE(name, numbers)                                                                              \
    (FITS(name, MPI_BYTE) || FITS(name, MPI_PACKED) ? UNO_SEQUENCE_ANY : (numbers))

#define PAIR_OF(first, second)                                                                               \
    struct {                                                                                                 \
        first a;                                                                                             \
        second b;                                                                                            \
    }
#define PAIR_SECOND(first, second)                                                                           \
    ((sizeof(first) + _Alignof(second) - 1) / _Alignof(second) * _Alignof(second))

#define PAIR_SEQUENCE(first, second) UNO_SEQUENCE_PAIR(UNO_SEQUENCE_OF(first), UNO_SEQUENCE_OF(second))

#define PAIR_PATTERN(first, second)                                                                          \
    {                                                                                                        \
        .kind = PAIR_SECOND(first, second) == sizeof(first) ? UNO_RUN : UNO_BLOCKS,                          \
        .bytes = sizeof(first) + sizeof(second), .count = 2,                                                 \
        .run = (struct uno_segment[]){{0, sizeof(first)}, {PAIR_SECOND(first, second), sizeof(second)}},     \
    }

/* The predefined type of a C type. */
#define OF(type) (struct uno_mpi_type *)&uno_predefined_type[(uintptr_t)(type)-UNO_TYPES_FROM]
#define BASIC(c_type)                                                                                        \
    _Generic((c_type)0, short                                                                                \
             : OF(MPI_SHORT), int                                                                            \
             : OF(MPI_INT), long                                                                             \
             : OF(MPI_LONG), float                                                                           \
             : OF(MPI_FLOAT), double                                                                         \
             : OF(MPI_DOUBLE), long double                                                                   \
             : OF(MPI_LONG_DOUBLE))

/* The C type for Fortran's types of 16 bytes, whose elements no operation combines. */
typedef struct {
    _Alignas(16) char byte[16];
} sixteen_bytes;

const struct uno_mpi_type uno_predefined_type[UNO_TYPES_TO - UNO_TYPES_FROM] = {
#define X(name, c_type, class)                                                                               \
    AT(name) = {HEAD(name), DENSE(c_type, SEQUENCE(name, UNO_SEQUENCE_OF(c_type)))},
    UNO_MPI_TYPES(X)
#undef X
#define X(name, c_type)                                                                                      \
    AT(name) = {HEAD(name), DENSE(c_type, SEQUENCE(name, UNO_SEQUENCE_INTEGER(sizeof(c_type))))},
        UNO_MPI_OTHER_TYPES(X)
#undef X
#define X(name, first, second, class)                                                                        \
    AT(name) = {                                                                                             \
        HEAD(name),                                                                                          \
        .layout = {.size = sizeof(first) + sizeof(second),                                                   \
                   .extent = sizeof(PAIR_OF(first, second)),                                                 \
                   .true_extent = PAIR_SECOND(first, second) + sizeof(second),                               \
                   .plain = sizeof(PAIR_OF(first, second)) == sizeof(first) + sizeof(second),                \
                   .pack = uno_type_pack,                                                                    \
                   .unpack = uno_type_unpack},                                                               \
        .alignment = _Alignof(PAIR_OF(first, second)),                                                       \
        .committed = true,                                                                                   \
        .elements = 2,                                                                                       \
        .sequence = PAIR_SEQUENCE(first, second),                                                            \
        .mark = UNO_SEQUENCE_MARK(PAIR_SEQUENCE(first, second)),                                             \
        .pattern = PAIR_PATTERN(first, second),                                                              \
        .contents = {.combiner = MPI_COMBINER_NAMED},                                                        \
        .parts = 2,                                                                                          \
        .part = (struct uno_part[]){{0, 1, BASIC(first)}, {PAIR_SECOND(first, second), 1, BASIC(second)}}},
            UNO_MPI_PAIRS(X)
#undef X
#define MARK(name, bound)                                                                                    \
    AT(name) = {HEAD(name),     .layout = {.plain = true},                                                   \
                .alignment = 1, .committed = true,                                                           \
                .bound = true,  .contents = {.combiner = MPI_COMBINER_NAMED}},
                MARK(MPI_LB, low_set) MARK(MPI_UB, high_set)
#undef MARK
};

const char *uno_predefined_type_name(const struct uno_mpi_type *type) {
    static const char *const names[UNO_TYPES_TO - UNO_TYPES_FROM] = {
#define X(name, ...) AT(name) = #name,
        UNO_MPI_TYPES(X) UNO_MPI_PAIRS(X) UNO_MPI_OTHER_TYPES(X)
#undef X
            AT(MPI_LB) = "MPI_LB",
        AT(MPI_UB) = "MPI_UB"};
    return names[type->object.handle - UNO_TYPES_FROM];
}

struct uno_mpi_type *uno_type_own(struct uno_mpi_type *type) {
    struct uno_mpi_type **own = &uno_rank->own_type[type->object.handle % UNO_PREDEFINED_TYPES];
    if (!uno_type_is_predefined(type))
        return type;
    if (!*own) {
        *own = uno_object_make(UNO_TYPE, sizeof **own, type->object.handle, uno_type_release);
        snprintf((*own)->name, sizeof(*own)->name, "%s", uno_predefined_type_name(type));
    }
    return *own;
}

void uno_kernels_start(void) {
#define X(name, c_type, class)                                                                               \
    uno_rank->kernels AT(name) =                                                                             \
        uno_kernels_of(UNO_##class, (size_t)uno_predefined_type AT(name).layout.extent);
    UNO_MPI_TYPES(X)
#undef X
#define X(name, first, second, class)                                                                        \
    uno_rank->kernels AT(name) =                                                                             \
        uno_kernels_of(UNO_##class, (size_t)uno_predefined_type AT(name).layout.extent);
    UNO_MPI_PAIRS(X)
#undef X
}

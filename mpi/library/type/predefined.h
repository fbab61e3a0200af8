/* The predefined types, and the type of a handle. */

#ifndef UNO_MPI_PREDEFINED_H
#define UNO_MPI_PREDEFINED_H

#include "library/type/type.h"

enum {
    UNO_TYPES_FROM = 0x200, /* the numbers of predefined types */
    UNO_TYPES_TO = 0x300,
};

/* The bounds of MPI-1, marks among the members of a structure. The standard's ABI has them no more: these
 * numbers are none of its types. */
#define MPI_LB ((MPI_Datatype)0x2fe)
#define MPI_UB ((MPI_Datatype)0x2ff)

/* The predefined types by number; a number without a type has kind UNO_FREED. */
extern const struct uno_mpi_type uno_predefined_type[UNO_TYPES_TO - UNO_TYPES_FROM];

/* "MPI_INT". */
const char *uno_predefined_type_name(const struct uno_mpi_type *type);

/* Return the object that has a type's name and attributes: for predefined types one of this rank, otherwise
 * the type. */
struct uno_mpi_type *uno_type_own(struct uno_mpi_type *type);

static inline bool uno_type_is_predefined(const struct uno_mpi_type *type) {
    return type->object.handle < UNO_TYPES_TO;
}

/* Fill in the rank's table for uno_type_kernels, which every reduction looks up. */
void uno_kernels_start(void);

/* Return the kernels of a type by enum uno_operator; NULL: no predefined operation combines its elements. */
static inline const uno_kernel *uno_type_kernels(const struct uno_mpi_type *type) {
    type = type->same ? type->same : type;
    return uno_type_is_predefined(type) ? uno_rank->kernels[type->object.handle - UNO_TYPES_FROM] : NULL;
}

static inline struct uno_mpi_type *uno_find_type(MPI_Datatype type) {
    uintptr_t handle = (uintptr_t)type;
    if (UNO_UNLIKELY(handle - UNO_TYPES_FROM >= UNO_TYPES_TO - UNO_TYPES_FROM))
        return uno_object_of(handle, UNO_TYPE);
    const struct uno_mpi_type *found = &uno_predefined_type[handle - UNO_TYPES_FROM];
    return found->object.kind ? (struct uno_mpi_type *)found : NULL;
}

/* As uno_find_type, but NULL if the type has not been committed. */
static inline struct uno_mpi_type *uno_find_committed(MPI_Datatype type) {
    uintptr_t handle = (uintptr_t)type;
    const struct uno_mpi_type *found = UNO_LIKELY(handle - UNO_TYPES_FROM < UNO_TYPES_TO - UNO_TYPES_FROM)
                                           ? &uno_predefined_type[handle - UNO_TYPES_FROM]
                                           : uno_object_of(handle, UNO_TYPE);
    return UNO_LIKELY(found && found->committed) ? (struct uno_mpi_type *)found : NULL;
}

#endif

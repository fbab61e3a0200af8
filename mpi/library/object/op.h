/* Operations: what combines elements. */

#ifndef UNO_MPI_OP_H
#define UNO_MPI_OP_H

#include "collective/reduction/kernels.h"
#include "library/object/objects.h"

struct uno_mpi_op {
    struct uno_object object;
    enum uno_operator operator; /* UNO_OPERATORS: the program's */
    void (*function)(void); /* of the program, or NULL: then and without an operator it combines nothing */
    void *last;             /* the argument that it gets after MPI's; or NULL */
    bool large;             /* that is an MPI_User_function_c */
    bool fortran;           /* that is Fortran's */
    bool commutes;
};

enum { UNO_OPS_FROM = 0x20, UNO_OPS_TO = 0x40 }; /* the numbers of predefined ones */

/* The predefined operations by number; a number without an operation has kind UNO_FREED. */
extern const struct uno_mpi_op uno_predefined_op[UNO_OPS_TO - UNO_OPS_FROM];

static inline struct uno_mpi_op *uno_find_op(MPI_Op op) {
    uintptr_t handle = (uintptr_t)op;
    if (handle - UNO_OPS_FROM >= UNO_OPS_TO - UNO_OPS_FROM)
        return uno_object_of(handle, UNO_OP);
    const struct uno_mpi_op *found = &uno_predefined_op[handle - UNO_OPS_FROM];
    return found->object.kind ? (struct uno_mpi_op *)found : NULL;
}

#endif

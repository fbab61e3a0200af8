/* Handles: of predefined objects, which are numbers, and of others. This is what another ABI has in another
 * way. */

#ifndef UNO_MPI_PREDEFINED_H
#define UNO_MPI_PREDEFINED_H

#include "library/type/datatype.h"

enum {
    UNO_TYPES_FROM = 0x200, /* the numbers of predefined types */
    UNO_TYPES_TO = 0x300,
    UNO_OPS_FROM = 0x20,
    UNO_OPS_TO = 0x40,
};

/* The bounds of MPI-1, marks among the members of a structure. The standard's ABI has them no more: these
 * numbers are none of its types. */
#define MPI_LB ((MPI_Datatype)0x2fe)
#define MPI_UB ((MPI_Datatype)0x2ff)

/* MPI::ERRORS_THROW_EXCEPTIONS of the old C++ bindings, which only other ABIs have. */
#define MPIR_ERRORS_THROW_EXCEPTIONS ((MPI_Errhandler)0x144)

/* By number; one that there is none of has kind UNO_FREED. */
extern const struct uno_mpi_type uno_predefined_type[UNO_TYPES_TO - UNO_TYPES_FROM];
extern const struct uno_mpi_op uno_predefined_op[UNO_OPS_TO - UNO_OPS_FROM];
/* Fatal, abort, return; and that of C++, whose function a face says. */
extern struct uno_mpi_errhandler uno_predefined_errhandler[4];

/* "MPI_INT". */
const char *uno_predefined_type_name(const struct uno_mpi_type *type);

/* Where a type's name and attributes are: for predefined types an object of this rank's, and else the type.
 */
struct uno_mpi_type *uno_type_own(struct uno_mpi_type *type);

static inline bool uno_type_is_predefined(const struct uno_mpi_type *type) {
    return type->object.handle < UNO_TYPES_TO;
}

/* Fill in what uno_type_kernels tells: in a table of the rank, since every reduction asks. */
void uno_kernels_start(void);

/* By enum uno_operator; NULL: no predefined operation combines elements of the type. */
static inline const uno_kernel *uno_type_kernels(const struct uno_mpi_type *type) {
    type = type->same ? type->same : type;
    return uno_type_is_predefined(type) ? uno_rank->kernels[type->object.handle - UNO_TYPES_FROM] : NULL;
}

static inline struct uno_mpi_comm *uno_find_comm(MPI_Comm comm) {
    if (UNO_LIKELY(comm == MPI_COMM_WORLD))
        return uno_rank->world;
    return comm == MPI_COMM_SELF ? uno_rank->self : uno_object_of((uintptr_t)comm, UNO_COMM);
}

static inline struct uno_mpi_type *uno_find_type(MPI_Datatype type) {
    uintptr_t handle = (uintptr_t)type;
    if (UNO_UNLIKELY(handle - UNO_TYPES_FROM >= UNO_TYPES_TO - UNO_TYPES_FROM))
        return uno_object_of(handle, UNO_TYPE);
    const struct uno_mpi_type *found = &uno_predefined_type[handle - UNO_TYPES_FROM];
    return found->object.kind ? (struct uno_mpi_type *)found : NULL;
}

/* The same, but NULL if it has not been committed, as no number is that names no type. */
static inline struct uno_mpi_type *uno_find_committed(MPI_Datatype type) {
    uintptr_t handle = (uintptr_t)type;
    const struct uno_mpi_type *found = UNO_LIKELY(handle - UNO_TYPES_FROM < UNO_TYPES_TO - UNO_TYPES_FROM)
                                           ? &uno_predefined_type[handle - UNO_TYPES_FROM]
                                           : uno_object_of(handle, UNO_TYPE);
    return UNO_LIKELY(found && found->committed) ? (struct uno_mpi_type *)found : NULL;
}

static inline struct uno_mpi_op *uno_find_op(MPI_Op op) {
    uintptr_t handle = (uintptr_t)op;
    if (handle - UNO_OPS_FROM >= UNO_OPS_TO - UNO_OPS_FROM)
        return uno_object_of(handle, UNO_OP);
    const struct uno_mpi_op *found = &uno_predefined_op[handle - UNO_OPS_FROM];
    return found->object.kind ? (struct uno_mpi_op *)found : NULL;
}

static inline struct uno_mpi_group *uno_find_group(MPI_Group group) {
    return group == MPI_GROUP_EMPTY ? uno_rank->empty : uno_object_of((uintptr_t)group, UNO_GROUP);
}

static inline struct uno_mpi_errhandler *uno_find_errhandler(MPI_Errhandler handler) {
    uintptr_t at = (uintptr_t)handler - (uintptr_t)MPI_ERRORS_ARE_FATAL;
    if (at < sizeof uno_predefined_errhandler / sizeof *uno_predefined_errhandler)
        return &uno_predefined_errhandler[at];
    return uno_object_of((uintptr_t)handler, UNO_ERRHANDLER);
}

/* NULL for MPI_INFO_NULL, too. */
static inline struct uno_mpi_info *uno_find_info(MPI_Info info) {
    if (UNO_UNLIKELY(info == MPI_INFO_ENV))
        return uno_rank ? uno_rank->env : NULL;
    return uno_object_of((uintptr_t)info, UNO_INFO);
}

static inline struct uno_mpi_win *uno_find_win(MPI_Win win) {
    return uno_object_of((uintptr_t)win, UNO_WIN);
}
static inline struct uno_mpi_file *uno_find_file(MPI_File file) {
    return uno_object_of((uintptr_t)file, UNO_FILE);
}
static inline struct uno_mpi_session *uno_find_session(MPI_Session session) {
    return uno_object_of((uintptr_t)session, UNO_SESSION);
}

#endif

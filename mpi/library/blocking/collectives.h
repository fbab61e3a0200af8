/* What all collectives of the library share. */

#ifndef UNO_MPI_COLLECTIVES_H
#define UNO_MPI_COLLECTIVES_H

#include "library/communicator/comm.h"
#include "library/object/op.h"
#include "library/type/type.h"

/* By what calls of a collective are known to differ, beside its bytes. Predefined operations have the same
 * handle everywhere; types are compared by their signatures, which of no elements are all the same. */
static inline unsigned uno_told_mark(const struct uno_mpi_comm *comm, MPI_Count count,
                                     const struct uno_mpi_type *type, const struct uno_mpi_op *op, int root) {
    uint32_t what = (uint32_t)comm->id * 0x9e3779b1u + (uint32_t)(root + 1) * 0x85ebca6bu +
                    (op && !op->function ? (uint32_t)op->object.handle * 0xc2b2ae35u : 0);
    return UNO_COMM_MARKED | (what >> 23 ^ (type && count ? type->mark : 0));
}

/* The rank is about to be in a collective: what it is told by in errors. */
static inline void uno_tell(struct uno_mpi_comm *comm, MPI_Count count, const struct uno_mpi_type *type,
                            const struct uno_mpi_op *op, int root) {
    uno_rank->told = (struct uno_told){comm, count, type, op, root};
    comm->comm.mark = uno_told_mark(comm, count, type, op, root);
}

/* It is over. */
static inline void uno_told_end(void) {
    uno_rank->told.comm = NULL;
}

/* As struct uno_pe's describe, of blocking collectives. */
bool uno_told_describe(const struct uno_pe *pe, unsigned signature, char *text, size_t bytes);

/* As struct uno_pe's fits. */
bool uno_told_fits(const struct uno_pe *pe, unsigned signature, unsigned theirs);

/* Return true if another rank's call is the same but for its type, which fits. differs: the bits by which
 * their signatures do, or marks. */
bool uno_told_fits_but(const struct uno_told *told, unsigned differs);

/* "MPI_Bcast(count 4, MPI_INT, root 0, MPI_COMM_WORLD)". */
void uno_told_text(const struct uno_told *told, const char *name, char *text, size_t bytes);

/* What mpi/collective has not done is an error, as it is too much for it; none of an empty operation is. */
static inline int uno_outcome(bool done, size_t bytes) {
    uno_told_end();
    if (UNO_LIKELY(done || !bytes))
        return MPI_SUCCESS;
    return uno_error(
        MPI_ERR_UNSUPPORTED_OPERATION,
        "collectives are for at most 2 GiB of a rank, and elements of up to 64 KiB in reductions");
}

/* So many elements of a type are some. name: "send". */
int uno_elements_check(const char *name, MPI_Count count, const struct uno_mpi_type *type);

/* As uno_address_check, of `name`buf; or of "buffer", if the name is empty. */
int uno_side_check(const char *name, const void *at, MPI_Count count, const struct uno_mpi_type *type)
    __attribute__((cold));

/* `name`counts and displacements, of the name `places`, are there. */
int uno_lists_check(const char *name, struct uno_numbers counts, const char *places,
                    struct uno_numbers displacements);

/* So many elements at an address, in a call that names it by `name`buf. MPI_ERR_*: they are none; a type that
 * is not one is NULL. */
int uno_data_of(struct uno_data *data, const char *name, const void *at, MPI_Count count,
                const struct uno_mpi_type *type);

/* From where data are to where they go, of types that may differ; one is NULL if they are there. */
int uno_move(const struct uno_data *in, const struct uno_data *out);

#endif

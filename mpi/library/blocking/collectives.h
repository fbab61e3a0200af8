/* Helpers that all collectives of the library share. */

#ifndef UNO_MPI_COLLECTIVES_H
#define UNO_MPI_COLLECTIVES_H

#include "library/communicator/comm.h"
#include "library/object/op.h"
#include "library/type/type.h"

/* A collective of a communicator for the library itself, whatever its size. */
#define UNO_AMONG(which, name) ((which)->scheduled || (which)->comm.apart ? uno_inter_##name : uno_mpi_##name)

/* Return the mark by which different calls of a collective are detected, in addition to its bytes. Predefined
 * operations have the same handle in every rank; types are compared by their signatures, and those of no
 * elements are all the same. */
static inline unsigned uno_told_mark(const struct uno_mpi_comm *comm, MPI_Count count,
                                     const struct uno_mpi_type *type, const struct uno_mpi_op *op, int root) {
    uint32_t what = (uint32_t)comm->id * 0x9e3779b1u + (uint32_t)(root + 1) * 0x85ebca6bu +
                    (op && !op->function ? (uint32_t)op->object.handle * 0xc2b2ae35u : 0);
    return UNO_COMM_MARKED | (what >> 23 ^ (type && count ? type->mark : 0));
}

/* Record the current call for error messages, and compute the mark by which mismatched calls are detected. */
static inline void uno_tell(struct uno_mpi_comm *comm, MPI_Count count, const struct uno_mpi_type *type,
                            const struct uno_mpi_op *op, int root) {
    uno_rank->told = (struct uno_told){comm, count, type, op, root};
    comm->comm.mark = uno_told_mark(comm, count, type, op, root);
}

/* Forget the call, which is over. */
static inline void uno_told_end(void) {
    uno_rank->told.comm = NULL;
}

/* The `describe` function of struct uno_pe, for blocking collectives. */
bool uno_told_describe(const struct uno_pe *pe, unsigned signature, char *text, size_t bytes);

/* The `fits` function of struct uno_pe. */
bool uno_told_fits(const struct uno_pe *pe, unsigned signature, unsigned theirs);

/* Return true if another rank's call differs only in its type, which fits. differs: the bits in which their
 * signatures, or marks, differ. */
bool uno_told_fits_but(const struct uno_told *told, unsigned differs);

/* Write the call: "MPI_Bcast(count 4, MPI_INT, root 0, MPI_COMM_WORLD)". */
void uno_told_text(const struct uno_told *told, const char *name, char *text, size_t bytes);

/* Return the outcome of an operation that mpi/collective has done, or refused since it is too large. An empty
 * operation has no error. */
static inline int uno_outcome(const struct uno_mpi_comm *comm, bool done, size_t bytes) {
    uno_told_end();
    if (UNO_LIKELY(done || !bytes))
        return MPI_SUCCESS;
    if (comm->comm.apart)
        return UNO_BY_MESSAGES;
    return uno_error(
        MPI_ERR_UNSUPPORTED_OPERATION,
        "collectives are for at most 2 GiB of a rank, and elements of up to 64 KiB in reductions");
}

/* Check that a count of elements of a type is valid. name: "send". */
int uno_elements_check(const char *name, MPI_Count count, const struct uno_mpi_type *type);

/* As uno_address_check, for the argument `name`buf; for "buffer" if the name is empty. */
int uno_side_check(const char *name, const void *at, MPI_Count count, const struct uno_mpi_type *type)
    __attribute__((cold));

/* Check that `name`counts and the displacements, whose name is `places`, are not NULL. */
int uno_lists_check(const char *name, struct uno_numbers counts, const char *places,
                    struct uno_numbers displacements);

/* Describe `count` elements at the address of the argument `name`buf. Returns MPI_ERR_* if they are not
 * valid; an invalid type is NULL. */
int uno_data_of(struct uno_data *data, const char *name, const void *at, MPI_Count count,
                const struct uno_mpi_type *type);

/* Move data to their destination, of types that may differ; either is NULL if the data are in place. */
int uno_move(const struct uno_data *in, const struct uno_data *out);

#endif

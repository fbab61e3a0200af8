/* The module mpi_f08 of MPICH, whose procedures are entries of their own: what they have in other ways than
 * those of mpif.h. Arrays of the program's data come as descriptors of gfortran, and the error is optional.
 */

#ifndef UNO_MPI_F08_MPICH_H
#define UNO_MPI_F08_MPICH_H

#include "library/face/fortran_mpich.h"

/* An array, as gfortran gives it to a procedure that is no C function. */
struct uno_f08_array {
    void *data;
    size_t offset;
    size_t element;
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span; /* the unit of steps, in bytes */
    struct {
        ptrdiff_t step, low, high;
    } dimension[];
};

extern int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;
extern int MPIR_F08_MPI_STATUS_IGNORE_OBJ[5], MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
extern int __mpi_f08_link_constants_MOD_mpi_unweighted, __mpi_f08_link_constants_MOD_mpi_weights_empty;

/* Return the elements' address for the entries of mpif.h; NULL: the elements are not contiguous. */
void *uno_f08_data(const struct uno_f08_array *array);

/* For elements that are not contiguous: return the address of the first, and replace count and type by one
 * element of a type that describes the places of all; uno_f08_part_end frees that type after the call. NULL:
 * the array does not have exactly so many elements of the type. */
struct uno_f08_part {
    int count, type;
    bool made;
};
void *uno_f08_part(const struct uno_f08_array *array, void **count, void **type, struct uno_f08_part *part);
void uno_f08_part_end(struct uno_f08_part *part);

/* Report an error, to the handler of MPI_COMM_SELF: elements are not contiguous, and the function takes no
 * type. */
int uno_f08_fails(const char *name);

static inline void *uno_f08_status(void *status) {
    bool ignored = status == MPIR_F08_MPI_STATUS_IGNORE_OBJ || status == MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
    return ignored ? mpipriv1_.status_ignore : status;
}

static inline void *uno_f08_weights(void *weights) {
    if (weights == &__mpi_f08_link_constants_MOD_mpi_unweighted)
        return &mpifcmb5_;
    return weights == &__mpi_f08_link_constants_MOD_mpi_weights_empty ? &mpifcmb9_ : weights;
}

#endif

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

/* The address for the entries of mpif.h, or NULL: the elements do not lie behind each other. */
void *uno_f08_data(const struct uno_f08_array *array);

/* Then: the address of the first one, and in the place of count and type one of a type that has the places of
 * all, which is freed behind the call. NULL if the array has not just so many elements of the type. */
struct uno_f08_part {
    int count, type;
    bool made;
};
void *uno_f08_part(const struct uno_f08_array *array, void **count, void **type, struct uno_f08_part *part);
void uno_f08_part_end(struct uno_f08_part *part);

/* Then, and where the function has no such type: an error, for the handler of MPI_COMM_SELF. */
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

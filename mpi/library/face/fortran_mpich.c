/* The symbols of MPICH's Fortran library beside its entries. */

#include "library/face/fortran_mpich.h"

EXPORT struct uno_fortran_first mpipriv1_;
EXPORT struct uno_fortran_second mpipriv2_;
EXPORT int mpifcmb5_, mpifcmb9_;
EXPORT char mpiprivc_[2];

extern int *const MPI_UNWEIGHTED, *const MPI_WEIGHTS_EMPTY;

const void *uno_fortran_special(const void *buffer) {
    if (buffer == &mpipriv1_.bottom)
        return NULL;
    if (buffer == &mpipriv1_.in_place)
        return (void *)-1;
    return buffer == &mpifcmb5_ ? MPI_UNWEIGHTED : MPI_WEIGHTS_EMPTY;
}

/* MPI_Sizeof of its module mpi, for a number or an array of a kind: i8 is an integer of 8 bytes. */
#define SIZEOF(kind, bytes) SIZE_OF(kind, bytes) SIZE_OF(kind##v, bytes)
#define SIZE_OF(kind, bytes)                                                                                 \
    EXPORT void __mpi_sizeofs_MOD_mpi_sizeof_##kind(const void *of, int *size, int *ierror) {                \
        (void)of;                                                                                            \
        *size = bytes;                                                                                       \
        *ierror = 0;                                                                                         \
    }
SIZEOF(i, 4)
SIZEOF(i1, 1)
SIZEOF(i2, 2)
SIZEOF(i8, 8)
SIZEOF(r, 4)
SIZEOF(d, 8)
SIZEOF(cx, 8)
SIZEOF(l, 4)
SIZEOF(ch, 1)

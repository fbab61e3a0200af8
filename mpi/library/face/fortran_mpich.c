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

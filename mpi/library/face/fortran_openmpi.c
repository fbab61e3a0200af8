/* The symbols of Open MPI's Fortran libraries beside their entries. */

#include "library/face/fortran_openmpi.h"

EXPORT int mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_unweighted_, mpi_fortran_weights_empty_;
EXPORT int mpi_fortran_status_ignore_[6], mpi_fortran_statuses_ignore_[6], mpi_fortran_errcodes_ignore_;
EXPORT char mpi_fortran_argv_null_, mpi_fortran_argvs_null_;

const void *uno_fortran_special(const void *buffer) {
    if (buffer == &mpi_fortran_bottom_)
        return NULL;
    if (buffer == &mpi_fortran_in_place_)
        return MPI_IN_PLACE;
    return buffer == &mpi_fortran_unweighted_ ? MPI_UNWEIGHTED : MPI_WEIGHTS_EMPTY;
}

/* A program calls this so that its compiler takes the buffer to be changed. */
EXPORT void mpi_f_sync_reg_(void *buffer) {
    (void)buffer;
}
ALL_NAMES(f_sync_reg, F_SYNC_REG, F_sync_reg)

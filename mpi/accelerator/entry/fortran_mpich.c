/* Fortran under MPICH. Its entry points for mpif.h and `use mpi` call the MPI_ functions, which are this
 * library's, and so do those of mpi_f08 that have a buffer; its others call the PMPI_ functions, and are
 * replaced here. */

#include <stddef.h>

#include "accelerator/host/host.h"

#define EXPORT __attribute__((visibility("default")))

/* ierror is optional */
static void set(MPI_Fint *error, int result) {
    if (error)
        *error = result;
}

EXPORT void mpi_init_f08_(MPI_Fint *error);
void mpi_init_f08_(MPI_Fint *error) {
    set(error, MPI_Init(NULL, NULL));
}

EXPORT void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);
void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) {
    set(error, MPI_Init_thread(NULL, NULL, *required, provided));
}

EXPORT void mpi_finalize_f08_(MPI_Fint *error);
void mpi_finalize_f08_(MPI_Fint *error) {
    set(error, MPI_Finalize());
}

EXPORT void mpi_barrier_f08_(MPI_Fint *comm, MPI_Fint *error);
void mpi_barrier_f08_(MPI_Fint *comm, MPI_Fint *error) {
    set(error, MPI_Barrier(MPI_Comm_f2c(*comm)));
}

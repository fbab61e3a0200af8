/* unisono mpi: the builds of the accelerator. */

#ifndef UNO_CLI_MPI_BUILDS_H
#define UNO_CLI_MPI_BUILDS_H

/* The accelerator has one build for each binary interface that an MPI program may have. */
enum mpi_build { MPI_NO_BUILD, MPI_OPENMPI, MPI_MPICH, MPI_ABI, MPI_BUILDS };

struct mpi_known {
    const char *key;  /* as in the names of files, and in --mpi */
    const char *name; /* the name that users know */
};

extern const struct mpi_known mpi_known[MPI_BUILDS];

/* Return the build with this key, or MPI_NO_BUILD. */
enum mpi_build mpi_build_named(const char *key);

#endif

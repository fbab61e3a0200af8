#include "builds.h"

#include <string.h>

const struct mpi_known mpi_known[MPI_BUILDS] = {
    [MPI_OPENMPI] = {"openmpi", "Open MPI"},
    [MPI_MPICH] = {"mpich", "MPICH"},
    [MPI_ABI] = {"abi", "the MPI 5 standard ABI"},
};

enum mpi_build mpi_build_named(const char *key) {
    for (int b = MPI_OPENMPI; b < MPI_BUILDS; b++)
        if (strcmp(key, mpi_known[b].key) == 0)
            return (enum mpi_build)b;
    return MPI_NO_BUILD;
}

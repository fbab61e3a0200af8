/* The names of the collective operations, and of the libraries that have them: for the accelerator and the
 * MPI library, and for the launcher, which reads signatures from the memory of a job. */

#include "collective/ops.h"

#include <stdio.h>

#include "engine/caller.h"

const char *const uno_mpi_name[] = {
#define X(code, name) name,
    UNO_COLLECTIVE_TABLE(X)
#undef X
};

static void describe(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    if (detail & UNO_COMM_MARKED)
        snprintf(text, UNO_SIGNATURE_TEXT, "%s", name);
    else
        snprintf(text, UNO_SIGNATURE_TEXT, "%s (%u bytes modulo 512)", name, detail);
}

static const struct uno_ops collectives = {.first = UNO_MPI_FIRST,
                                           .count = sizeof uno_mpi_name / sizeof *uno_mpi_name,
                                           .name = uno_mpi_name,
                                           .text = describe};
UNO_OPS_REGISTER(collectives);

/* Other MPI libraries have the same names, and stand where this project's do. The last ones record calls
 * (mpi/observe). */
static const char *const libraries[] = {
    "libmpi_abi.so", "libmpi.so",     "libmpifort.so",   "libmpichfort.so",   "libmpi_mpifh.so",
    "libmpi_usempi", "record-abi.so", "record-mpich.so", "record-openmpi.so", NULL};
UNO_LIBRARIES_REGISTER(libraries);

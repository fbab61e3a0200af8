/* unisono mpi: what its command line asks for. */

#ifndef UNO_CLI_MPI_OPTIONS_H
#define UNO_CLI_MPI_OPTIONS_H

#include <stdbool.h>

#include "builds.h"

struct mpi_options {
    char **argv; /* the launcher, the program and their arguments */
    enum mpi_build build;
    bool off, check, fast_math, verbose, profile, tune, stats;
    const char *profile_file, *plot, *html, *tune_file, *stats_file, *trace; /* NULL: none */
    const char *nodes; /* as UNISONO_MPI_NODES; NULL: those there are */
};

#endif

/* unisono mpi: what starts the program. */

#ifndef UNO_CLI_MPI_LAUNCHER_H
#define UNO_CLI_MPI_LAUNCHER_H

#include "program.h"

enum { MPI_PROGRAMS = 32, MPI_VERSION = 100 };

enum mpi_family {
    MPI_ITSELF,  /* no launcher: the program itself, or something in front of a launcher */
    MPI_ORTE,    /* Open MPI's */
    MPI_HYDRA,   /* MPICH's and its relatives' */
    MPI_OWN,     /* unisono mpirun, which has no use for an accelerator */
    MPI_NEUTRAL, /* srun, which starts programs of any MPI */
};

struct mpi_launcher {
    char path[PATH_MAX];
    enum mpi_family family;
    char version[MPI_VERSION]; /* as "Open MPI 5.0.11" */
    int major;                 /* of that; 0: unknown */
    int programs;              /* that were found on the command line */
    struct mpi_program program[MPI_PROGRAMS];
};

/* The file that a word of a command line stands for, in PATH or in a folder, or in that folder if it is not
 * NULL. Whether there is one. */
bool mpi_find_file(const char *word, const char *folder, char path[PATH_MAX]);

/* Find out about the launcher and the programs of a command line; ends with a message if it cannot work. */
void mpi_launcher_find(struct mpi_launcher *launcher, char **argv);

#endif

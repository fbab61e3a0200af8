/* unisono mpi: the file of crossovers, which --tune writes, the accelerator reads, and a person can.
 *
 *     below  openmpi  MPI_Allreduce  4  65536
 *     below  openmpi  MPI_Bcast  4  65536  512
 *     time   openmpi  MPI_Allreduce  4  8  1.5  3.8
 *
 * Build, operation, ranks; accelerated below so many bytes (0: never, all: always), from so many on; for
 * these bytes: microseconds accelerated, and of the library.
 *
 * All else is a comment, from '#' on. */

#ifndef UNO_CLI_MPI_CROSSOVERS_H
#define UNO_CLI_MPI_CROSSOVERS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "builds.h"

enum { MPI_OPERATION = 40 };

struct mpi_time {
    enum mpi_build build;
    char operation[MPI_OPERATION];
    int ranks;
    double bytes, accelerated, library; /* times in seconds */
};

struct mpi_times {
    struct mpi_time *time;
    size_t count;
};

/* The file that holds for the jobs of this user: UNISONO_MPI_TUNE, or in the folder for settings. Whether
 * there is such a name. */
bool mpi_crossovers_path(char path[PATH_MAX]);

/* The times in a file; none if it is not there. */
void mpi_times_read(struct mpi_times *times, const char *path);

/* The time measured for the size nearest to this one, and for the ranks that the accelerator would go by;
 * NULL: none was. */
const struct mpi_time *mpi_times_find(const struct mpi_times *times, enum mpi_build build,
                                      const char *operation, int ranks, double bytes);

/* Make the folders above the file, and end with a message if it could not be written. */
void mpi_crossovers_try(const char *path);

/* Put text in place of the lines for this build and number of ranks, and keep all others. Ends with a message
 * if the file cannot be written. */
void mpi_crossovers_write(const char *path, enum mpi_build build, int ranks, const char *text);

#endif

/* unisono mpi: the profile as a table that users read. */

#ifndef UNO_CLI_MPI_PROFILE_TABLE_H
#define UNO_CLI_MPI_PROFILE_TABLE_H

#include <stdio.h>

#include "profile.h"

/* Write the profile with the charts of the paper of 1999: how often each collective was called, with which
 * sizes and types, by how many participants; and the messages. */
void mpi_profile_table(FILE *f, const struct mpi_profile *profile);

#endif

/* unisono mpi: the profile for people. */

#ifndef UNO_CLI_MPI_PROFILE_TABLE_H
#define UNO_CLI_MPI_PROFILE_TABLE_H

#include <stdio.h>

#include "profile.h"

/* With the charts of the paper of 1999: how often each collective, of which sizes and types, with how many
 * participants; and the messages besides. */
void mpi_profile_table(FILE *f, const struct mpi_profile *profile);

#endif

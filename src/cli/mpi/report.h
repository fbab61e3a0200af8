/* unisono mpi: what was counted and measured in a job, after its end. */

#ifndef UNO_CLI_MPI_REPORT_H
#define UNO_CLI_MPI_REPORT_H

#include "options.h"

/* Whether the options ask for what is only known at the end. */
bool mpi_report_wanted(const struct mpi_options *options);

/* Before the start: have a profile written. Ends with a message if it could not be. */
struct mpi_report *mpi_report_open(const struct mpi_options *options);

/* After the end, with the status of the command as of waitpid: show, write and draw what was asked for.
 * Returns the status to end with, which is another one if the check or the report failed. */
int mpi_report_close(struct mpi_report *report, int status);

#endif

/* unisono mpi: the report of the counts and times of a job, after its end. */

#ifndef UNO_CLI_MPI_REPORT_H
#define UNO_CLI_MPI_REPORT_H

#include "options.h"

/* Return true if the options ask for something that is known only at the end. */
bool mpi_report_wanted(const struct mpi_options *options);

/* Before the start: make the job write a profile. Ends with a message if that is impossible. */
struct mpi_report *mpi_report_open(const struct mpi_options *options);

/* After the end: show, write and draw what the options ask for. status: the command's, as of waitpid. Returns
 * the exit status, which differs if the check or the report failed. */
int mpi_report_close(struct mpi_report *report, int status);

#endif

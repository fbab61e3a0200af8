/* unisono sort by the PEs of a job: processes on one machine or several, each with a part of the records in
 * memory of its own. */

#ifndef UNO_CLI_SORT_JOB_H
#define UNO_CLI_SORT_JOB_H

#include "request.h"

/* Become `unisono run` on the machines of --hosts, whose PEs are `unisono sort --job`. Returns only if there
 * is no such program: the exit status. */
int sort_start_job(const struct sort_request *request);

/* Sort, as a PE of a job. Returns the exit status. */
int sort_by_job(const struct sort_request *request);

#endif

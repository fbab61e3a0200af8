/* --trace: the operations of a job as a timeline, a JSON file in the Chrome trace event format.
 *
 * While the job runs, the PEs append their events to a file without a name, in the folder of the timeline. */

#ifndef UNO_TRACE_H
#define UNO_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/aside.h"
#include "engine/job.h"

struct uno_trace {
    struct uno_aside timeline;
    int events; /* descriptor of the file without a name */
};

/* Open both files. Returns 0, or -errno with the file that failed in *what; then neither exists. */
int uno_trace_open(struct uno_trace *trace, const char *path, const char **what);

/* The outcome of writing a timeline. */
struct uno_trace_result {
    uint64_t written, dropped; /* operations; dropped: those that the PEs could not write */
    bool stopped;              /* `step` ended it early */
    int error;                 /* an errno, if there is no timeline; or 0 */
};

/* Write the timeline of a job whose processes have all ended, and close the files. step: called again and
 * again with the share that is done; it returns whether to go on. If it says no, the file is complete all the
 * same, but shorter. */
struct uno_trace_result uno_trace_write(struct uno_trace *trace, struct uno_job *job,
                                        bool (*step)(void *argument, double share), void *argument);

#endif

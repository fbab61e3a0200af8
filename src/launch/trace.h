/* --trace: the operations and the calls of a job as a timeline, a JSON file in the Chrome trace event format.
 *
 * While the job runs, the PEs append their events to a file without a name, in the folder of the timeline. */

#ifndef UNO_TRACE_H
#define UNO_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/aside.h"
#include "recorded.h"

struct uno_trace {
    struct uno_aside timeline;
    /* descriptors of the files without a name: of operations (-1: there is none), and of recorded calls */
    int events, calls;
};

/* Open the files; operations: for these, too. Returns 0, or -errno with the file that failed in *what; then
 * none exists. */
int uno_trace_open(struct uno_trace *trace, const char *path, bool operations, const char **what);

/* Open the files of events alone, on the disk for temporary files, in an agent: the timeline is written
 * elsewhere. Returns 0 or -errno. */
int uno_trace_open_events(struct uno_trace *trace);

/* The outcome of writing a timeline. */
struct uno_trace_result {
    uint64_t written, dropped; /* operations and calls; dropped: those that the PEs could not write */
    bool full;                 /* there were more calls than the timeline has room for */
    bool stopped;              /* `step` ended it early */
    int error;                 /* an errno, if there is no timeline; or 0 */
};

/* Write the timeline of a job whose processes have all ended, and close the files. step: called again and
 * again with the share that is done; it returns whether to go on. If it says no, the file is complete all the
 * same, but shorter. */
struct uno_trace_result uno_trace_write(struct uno_trace *trace, const struct uno_recorded *recorded,
                                        bool (*step)(void *argument, double share), void *argument);

/* Write the timeline of recorded calls alone, of a job that others have started, and close the files. */
struct uno_trace_result uno_trace_write_calls(struct uno_trace *trace, const char *program,
                                              const struct uno_calls *calls);

/* Report what is wrong with a timeline. Return true if all of it is there that has found room. teller: begins
 * messages: "unisono run". */
bool uno_trace_tell(const char *teller, const char *path, const struct uno_trace_result *result);

#endif

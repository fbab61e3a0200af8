/* The records of a job, and the files of --stats and --trace. They are opened before a job begins, so that
 * an error is reported at once, and written after its end. Until they are complete there are no files of
 * these names, and earlier ones stay. */

#ifndef UNO_RECORDS_H
#define UNO_RECORDS_H

#include "recorded.h"
#include "trace.h"

struct uno_records {
    const struct uno_launch *launch;
    struct uno_aside stats;       /* for the figures of --stats=FILE; its file is -1 without that */
    struct uno_trace trace;       /* likewise its timeline without --trace */
    struct uno_recorded recorded; /* at the end */
};

#define UNO_RECORDS_NONE                                                                                     \
    {                                                                                                        \
        .stats.file = -1, .trace = {.timeline.file = -1, .events = -1, .calls = -1 }                         \
    }

/* Return what the PEs have to record: flags of enum uno_observe. */
int uno_records_wanted(const struct uno_launch *launch);

/* Open the files of UNO_RECORDS_NONE; in an agent, those in which its PEs note their events. Return true if
 * all could be opened; otherwise after a message. */
bool uno_records_open(struct uno_records *records, const struct uno_launch *launch);

/* All PEs of the job, on this machine, have ended at this time: sum up the calls that they have recorded. */
void uno_records_sum(struct uno_records *records, struct uno_job *job, uint64_t over);

/* Write the tables of --stats, for users. */
void uno_records_table(FILE *f, const struct uno_records *records);

/* Write the files. Return true if all could be written; otherwise after a message. interrupted: called again
 * and again; returns true if a signal has come to end the launcher, which ends this too. */
bool uno_records_write(struct uno_records *records, bool (*interrupted)(void *argument), void *argument);

/* Drop the files that were opened and are not written, and the sums. */
void uno_records_close(struct uno_records *records);

/* Remove the temporary files of a launcher that was killed. */
void uno_records_sweep(const struct uno_launch *launch, pid_t launcher);

#endif

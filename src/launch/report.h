/* The place of each PE of a job in words. */

#ifndef UNO_REPORT_H
#define UNO_REPORT_H

#include <stdio.h>

#include "pe_places.h"
#include "request.h"

/* Write what the PE does or where it waits, for how long, and which PEs are missing there: the rest of a
 * line. words: of a mask. */
void uno_report_place(FILE *f, int words, const struct uno_place *place);

/* Write the operation of the PE, with its group or the other PE: a part of that line. */
void uno_report_operation(FILE *f, int words, const struct uno_place *place);

/* Write so many members of a mask as "PE 3" or "PEs 1-3,7". */
void uno_report_members(FILE *f, const uint64_t *mask, int count, int words);

/* The report of one node of several: of its PEs alone, with the name of the host. */
struct uno_report_far {
    const struct uno_launch *launch;
    void (*next)(void *argument, int k); /* called when the lines of PE k have been written */
    void *argument;
};

/* Write such a line for each PE, the number of its messages, and its requests, if it is a rank of MPI, in
 * lines of their own. callers: write also where each program has called the library, if it waits in it; the
 * processes are stopped for some milliseconds. far: NULL in a job on one machine. */
void uno_report(FILE *f, struct uno_job *job, const struct uno_mail *mail, const pid_t *process, bool callers,
                const struct uno_report_far *far);

#endif

/* The state of a job that runs. */

#ifndef UNO_RUN_H
#define UNO_RUN_H

#include <stdio.h>

#include "engine/channel/ring/memory.h"
#include "foreign.h"
#include "output.h"
#include "request.h"
#include "spawn.h"
#include "trace.h"
#include "turns.h"
#include "wrapped.h"

/* How far the end of a job has come. */
enum uno_phase {
    UNO_RUNS,
    UNO_GRACE,      /* a PE has failed: the others have some time to notice */
    UNO_TERMINATED, /* asked to end by a signal */
    UNO_KILLED,
};

struct uno_run {
    const struct uno_launch *launch;
    pid_t command; /* the process by which users know the job */
    struct uno_job *job;
    struct uno_job *made; /* a copy of its header as it was made */
    int lifeline[2];      /* a pipe into which nothing is written: that it is closed tells */
    struct uno_spawn spawn;
    struct uno_output output;
    struct uno_wrapped wrapped;
    struct uno_turns turns; /* zeros without --gang */
    pid_t hardware;         /* the process of the simulated unit; 0: there is none, or it has ended */
    pid_t *child;           /* what was started for each PE: its process, or a wrapper; 0 once it has ended */
    int *result;            /* how each failed, as of waitpid; 0: it has not */
    bool *ended_open;       /* it ended well, but had not checked out */
    struct uno_aside stats; /* for the figures of --stats=FILE; its file is -1 without that */
    struct uno_trace trace; /* likewise its timeline without --trace */
    int alive;
    int signals; /* a descriptor that reads those of uno_guard_signals */

    enum uno_phase phase;
    uint64_t next;        /* CLOCK_MONOTONIC ns when the next phase begins, or 0 */
    uint64_t timeout;     /* likewise when the user's patience ends, or 0 */
    uint64_t unexplained; /* likewise when the ends of PEs that no wrapper has explained count, or 0 */
    bool timed_out;       /* it has */
    uint64_t look;        /* likewise when it is time to see whether any PE can go on */
    struct uno_mail mail; /* once that takes a look at messages */
    bool deadlocked;      /* none can */
    uint64_t search; /* likewise when it is time to search for another MPI library, and the time between */
    uint64_t search_step;       /* the last such searches */
    struct uno_foreign foreign; /* what was found then; its process is 0: nothing */
    int status;                 /* the highest exit status so far */
    int failed;                 /* the first PE that failed, or -1 */
    int signal;                 /* that ends the job, or 0 */
    uint64_t signaled;          /* when it came */
    unsigned ends;              /* signals to end the job, so far */
    uint64_t over;              /* when all processes had ended */
};

#endif

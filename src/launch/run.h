/* The state of a job that runs. */

#ifndef UNO_RUN_H
#define UNO_RUN_H

#include <stdio.h>

#include "engine/channel/ring/memory.h"
#include "foreign.h"
#include "output.h"
#include "records.h"
#include "request.h"
#include "spawn.h"
#include "turns.h"
#include "wrapped.h"

/* The stages of a job's end. */
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
    int lifeline[2];      /* a pipe into which nothing is written: its closing is the message */
    struct uno_spawn spawn;
    struct uno_output output;
    struct uno_wrapped wrapped;
    struct uno_turns turns; /* zeros without --gang */
    pid_t hardware;         /* the process of the simulated unit; 0: there is none, or it has ended */
    pid_t *child;           /* the process started for each PE, or its wrapper; 0 once it has ended */
    int *result;            /* how each failed, as of waitpid; 0: it has not */
    bool *ended_open;       /* it ended well, but had not checked out */
    bool *addressed;        /* the other nodes know its address */
    bool fault_told;        /* the other nodes know of the failure in the job's memory */
    struct uno_records records;
    int alive;
    int signals; /* a descriptor that reads those of uno_guard_signals */

    enum uno_phase phase;
    uint64_t next;    /* CLOCK_MONOTONIC ns when the next phase begins, or 0 */
    uint64_t timeout; /* CLOCK_MONOTONIC ns when the user's timeout ends, or 0 */
    /* CLOCK_MONOTONIC ns when the ends of PEs count that no wrapper has explained, or 0 */
    uint64_t unexplained;
    bool timed_out;             /* the timeout has ended */
    uint64_t look;              /* CLOCK_MONOTONIC ns of the next look for a deadlock */
    struct uno_mail mail;       /* mapped once that takes a look at messages */
    bool deadlocked;            /* a deadlock was found */
    uint64_t search;            /* CLOCK_MONOTONIC ns of the next search for another MPI library */
    uint64_t search_step;       /* ns between the last two such searches */
    struct uno_foreign foreign; /* the library found then; its process is 0: none */
    int status;                 /* the highest exit status so far */
    int failed;                 /* the first PE that failed, or -1 */
    int signal;                 /* the signal that ends the job, or 0 */
    uint64_t signaled;          /* when it came */
    unsigned ends;              /* signals to end the job, so far */
    uint64_t over;              /* when all processes had ended */
};

#endif

/* The state of a coordinator. */

#ifndef UNO_COORDINATION_H
#define UNO_COORDINATION_H

#include "engine/job.h"
#include "facts.h"
#include "job.h"
#include "launch/calls.h"
#include "launch/output.h"
#include "launch/records.h"
#include "offset.h"
#include "start.h"

/* An agent, and the node that it serves. */
struct uno_far_node {
    pid_t pid; /* of the agent, or of the command that started it elsewhere; 0 once it has ended */
    int ended; /* how it did, as of waitpid */
    struct uno_link link;
    int err;                        /* its standard error, to read; -1: closed */
    struct uno_bytes said;          /* text from there that has not been passed on */
    uint64_t owed[3];               /* bytes of output and errors that the agent does not know to be taken */
    uint64_t closing;               /* CLOCK_MONOTONIC ns at which it began to end; 0: it has not */
    bool greeted;                   /* the agent has said what it is */
    bool begun;                     /* its PEs have started */
    bool over;                      /* its PEs have ended, and all of it was told */
    bool gone;                      /* nothing will come any more */
    bool silent;                    /* its machine is, or the network is cut: it is given up */
    bool asked;                     /* for a report that it has not finished */
    enum uno_quiet_state quiet;     /* of its PEs, as it was told last */
    uint64_t answered;              /* the last look that the agent has answered, */
    struct uno_fact *fact, *before; /* what it saw, of each PE, and what it had seen before; or NULL */
    struct uno_offsets offsets;     /* its clock's, in a job with a timeline, */
    int questions;                  /* and how often it is still to be asked what time it is */
    bool ready;                     /* its PEs have ended, and their records can be sent */
    bool apart;                     /* and that its PEs can never go on */
};

/* The search for a deadlock: quiet.h. */
struct uno_quiet {
    bool asks, again; /* agents look, for the second time */
    uint64_t number;  /* of the last look */
    uint64_t next;    /* CLOCK_MONOTONIC ns before which none is asked for */
};

/* A report that is being gathered: the lines of each PE. */
struct uno_far_report {
    uint64_t until; /* CLOCK_MONOTONIC ns; 0: none is */
    char *title;    /* above a report after which the job ends; NULL: it goes on */
    char **line;    /* and behind those of the PEs what each node has to say of all of its own */
};

/* The records of all PEs: gather.h. */
struct uno_gather {
    int observe;         /* flags of enum uno_observe; 0: nothing is recorded, and there is nothing here */
    struct uno_job *job; /* with the records of all PEs, */
    size_t size;         /* and its bytes */
    struct uno_seen_share seen;    /* their recorded calls, */
    char **place;                  /* the places of these, as of uno_calls_far, */
    struct uno_calls_clock *clock; /* and the clock of each node */
    struct uno_calls_far far;
    struct uno_conversion
        *conversion;                /* of the times of each node; without a timeline they stay as they are */
    struct uno_seats_clock *offset; /* and what is told of that */
    off_t at[2];                    /* where the next chunk of operations and of calls goes in its file */
    struct uno_records records;
    uint64_t over; /* CLOCK_MONOTONIC ns at which the last node has told that its PEs have ended */
};

struct uno_coordinator {
    const struct uno_far_launch *far;
    sigset_t mask; /* signals that were blocked before */
    struct uno_far_node *node;
    struct uno_output output;
    struct uno_stream **stream; /* two of each PE; NULL where there is a file: */
    int *file;                  /* two of each PE; -1: none */
    int signals;
    int pulse;           /* timer of the heartbeat: pulse.h */
    uint64_t input_sent; /* bytes of standard input that PE 0's agent has not taken yet */
    bool input_over;
    bool broken[3]; /* the agents know that nobody reads these streams */

    int *result;               /* how each PE failed; 0: it has not */
    bool *counts;              /* its failure counts */
    int checked_in;            /* PEs that have */
    int status;                /* the highest exit status so far */
    int failed;                /* the first PE that failed, or -1 */
    int fault_pe;              /* the PE whose failure the others know, or -1 */
    char gone[UNO_FAULT_TEXT]; /* the node that was the first to go, and how; empty: none is */
    bool refused;              /* the job does not begin, and that is said */
    bool told;                 /* the agents have been told the job */
    uint64_t begin;            /* CLOCK_MONOTONIC ns by which all agents have to have answered */
    uint64_t timeout, ending;  /* when the user's timeout ends, and when the end of the job began; or 0 */
    int verdict;               /* the exit status with which the coordinator itself ends the job; or 0 */
    struct uno_quiet quiet;
    struct uno_gather gather;
    int signal; /* that ends the job; or 0 */
    uint64_t signaled;
    unsigned ends; /* signals to end the job, so far */
    struct uno_far_report report;
};

#endif

/* The steps that unisono run and unisono mpirun share, from the command line to the end of the job. */

#ifndef UNO_CLI_JOB_H
#define UNO_CLI_JOB_H

#include "launch/hosts/coordinator.h"
#include "launch/request.h"
#include "observe/share.h"

struct job {
    struct uno_launch launch;
    const char *html;            /* the file for a page with the figures; NULL: no page */
    bool debug;                  /* PEs run under gdb: */
    const char *pes;             /* the list of these; NULL: all do */
    bool count;                  /* the instructions of PEs are counted */
    struct uno_seen_share share; /* the memory of recorded calls */
    char **words;                /* the memory of their programs' words */
    struct uno_hosts *hosts;     /* the machines on which it runs; NULL: this one */
    struct uno_far_launch far;   /* what is wished of them */
    bool silence_given;          /* the time after which one that is silent is gone */
};

/* Read the argument of --timeout: a number of seconds, at most about 30 years. Returns false if it is no such
 * number. */
bool job_timeout(struct job *job, const char *text);

/* Return true, after a message, if the program of a part is itself a launcher: each of its processes would
 * start a job of its own. */
bool job_nested(const struct job *job, const char *command);

/* Open the page of --html, if it is wanted. Returns false after a message. */
bool job_page(struct job *job);

/* Make the memory in which the PEs record their calls, if that is wanted, and tell the environment of it. */
void job_observe(struct uno_launch *launch, struct uno_seen_share *share, bool wanted, const char *command);

/* Run the job to its end on this machine, once the parts have been named. command: begins messages, "unisono
 * run". Returns the exit status. */
int job_run(struct job *job, const char *command);

#endif

/* This user's running jobs: found, and shown by unisono ps and unisono inspect. */

#ifndef UNO_JOBS_H
#define UNO_JOBS_H

#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <sys/types.h>

#include "launch/pe_places.h"

/* A job's memory, mapped to read. */
struct found {
    dev_t device;
    ino_t inode;
    size_t size;
    struct uno_job *job;
    struct uno_mail mail; /* of uno_shown_map; what may be trusted, since the job may write over its own */
    uint64_t started;
    bool asked_for;
};

struct jobs {
    struct found *found; /* the oldest first */
    size_t count;
};

/* The jobs of the process: the launcher of one, or a process of it; 0: all. False after a message, also if
 * the process is of none. To be freed by jobs_free in any case. command: its name. */
bool jobs_find(struct jobs *jobs, pid_t pid, const char *command);
void jobs_free(struct jobs *jobs);

/* Return the only job. NULL after a message if there is none, or there are several; name: how one of them is
 * named, "name one by --pid". */
const struct found *jobs_only(const struct jobs *jobs, const char *command, const char *name);

/* The number of a process on the command line. Ends with a message if it is none. */
pid_t jobs_parse(const char *text, const struct argp_state *state);

/* "PID 4711: ./program 1000; 4 PEs, for 12.3 s", and the end of the line. */
void jobs_write_title(FILE *f, const struct found *found);

/* A number, or null below 0. */
json_t *jobs_number(int number);

/* A PE, and its messages (NULL: not known); and a job with its list of PEs. */
json_t *jobs_place(const struct found *found, int k, const struct uno_place *place,
                   const struct uno_shown_all *all);
json_t *jobs_describe(const struct found *found, json_t *list);

#endif

/* A job of `unisono run --gang`: its PEs run while it has the turn, and are stopped while another job has. */

#ifndef UNO_TURNS_H
#define UNO_TURNS_H

#include "engine/job.h"
#include "gang.h"

struct uno_turns {
    struct uno_gang *gang; /* NULL: the job takes no turns, or no more */
    struct uno_job *job;
    const pid_t *child; /* as in struct uno_run */
    int n;
    bool *held;       /* processes of each PE that somebody else had stopped before: they are left so */
    bool stopped;     /* all PEs are, */
    uint64_t began;   /* since then */
    uint64_t ended;   /* ns of all times before that they were */
    sigset_t signals; /* that the launcher reads beside the others */
};

/* Join the others of that name. child: the PEs, of which there are none yet. Returns NULL, or why it cannot
 * be. */
const char *uno_turns_begin(struct uno_turns *turns, const char *name, struct uno_job *job,
                            const pid_t *child, int n);

/* PE k has been started. */
void uno_turns_born(struct uno_turns *turns, int k);

/* Do what is to be done now. */
void uno_turns_step(struct uno_turns *turns);

/* SIGTSTP has come: stop the PEs and this process, until it goes on. The turns are the others' meanwhile. */
void uno_turns_sleep(struct uno_turns *turns);

/* SIGCONT has come, perhaps to the PEs, too: they run only if the job has the turn. */
void uno_turns_wake(struct uno_turns *turns);

/* How long the PEs have been stopped for others, in ns. */
uint64_t uno_turns_lost(const struct uno_turns *turns);

/* Take part no more: all PEs run. */
void uno_turns_end(struct uno_turns *turns);

/* Free what is left. */
void uno_turns_free(struct uno_turns *turns);

#endif

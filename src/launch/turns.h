/* A job of `unisono run --gang`: its PEs run while it has the turn, and are stopped while another job has
 * it. */

#ifndef UNO_TURNS_H
#define UNO_TURNS_H

#include "engine/job.h"
#include "gang.h"

struct uno_turns {
    struct uno_gang *gang; /* NULL: the job takes no turns, or no longer */
    struct uno_job *job;
    const pid_t *child; /* as in struct uno_run */
    int n;
    bool *held;       /* processes of each PE that somebody else had stopped before: they stay stopped */
    bool stopped;     /* all PEs are stopped, */
    uint64_t began;   /* since this time */
    uint64_t ended;   /* ns of all earlier stops */
    sigset_t signals; /* signals that the launcher reads beside the others */
};

/* Join the gang of that name. child: the processes of the PEs, none of which has started yet. Returns NULL,
 * or the reason why that fails. */
const char *uno_turns_begin(struct uno_turns *turns, const char *name, struct uno_job *job,
                            const pid_t *child, int n);

/* Note that PE k has been started. */
void uno_turns_born(struct uno_turns *turns, int k);

/* Do everything that is due now. */
void uno_turns_step(struct uno_turns *turns);

/* Stop the PEs and this process, on SIGTSTP, until it goes on. The turns are the other jobs' meanwhile. */
void uno_turns_sleep(struct uno_turns *turns);

/* Handle SIGCONT, which may have come to the PEs, too: they run only if the job has the turn. */
void uno_turns_wake(struct uno_turns *turns);

/* Return how long the PEs have been stopped for other jobs, in ns. */
uint64_t uno_turns_lost(const struct uno_turns *turns);

/* Leave the gang: all PEs run. */
void uno_turns_end(struct uno_turns *turns);

/* Free the memory of the turns. */
void uno_turns_free(struct uno_turns *turns);

#endif

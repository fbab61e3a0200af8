/* How a PE waits for another: spin, give the processor away, and after a while sleep. */

#ifndef UNO_WAIT_H
#define UNO_WAIT_H

#include "bell.h"
#include "pe.h"
#include "rest.h"
#include "shifts.h"

/* One wait: the PE waited for, the operation, and how far the wait has come. The caller sets the first fields
 * and, for a message, the last two; the others begin with 0. */
struct uno_wait {
    struct uno_pe *pe;
    int k; /* the PE that is waited for; negative: any */
    unsigned signature;
    /* the wait ends when PE k takes in what this PE has written; otherwise by what PE k writes */
    bool writes;
    bool lends;             /* other threads of this PE may have it in each step, */
    struct uno_shift shift; /* and take this for the wait (shifts.h) */
    /* there are more PEs than processors, and one that is waited for was last seen on this processor */
    bool misses;
    uint64_t began; /* CLOCK_MONOTONIC ns at the first look at the clock; 0 before */
    uint64_t moved; /* CLOCK_MONOTONIC ns when there last was other work to do, or at the beginning */
    uint64_t quiet; /* ns since `moved` */
    uint64_t asked; /* when the program's p_onWait was called last, or at the beginning */
    unsigned steps;
    unsigned given;       /* times that the processor was given away */
    bool yields;          /* past spinning */
    bool naps;            /* the PE sleeps early since the processor is given away in vain */
    bool left;            /* the PE waited for has left; what it posted before is visible */
    bool fenced;          /* the PE that is waited for has seen, or will see, that this one sleeps */
    uno_atomic32 *parked; /* the board among whose sleepers this PE is counted; NULL: none */
    uint64_t context;     /* the context of the message, */
    size_t room;          /* and the bytes of its buffer, plus 1; 0: not known. Only for reports */
    /* a count of the PE's own, which differs from `seen` when something has come by which the wait may end;
     * NULL: nobody could see that from outside. The context is then the group, or 0 if it is too large */
    const uno_atomic64 *own;
    uint64_t seen;
};

/* Take one step of waiting, short of sleep: spin, or give the processor away. Ends the process if the job has
 * failed. Returns true if it has become time to sleep. */
bool uno_wait_pace(struct uno_wait *wait);

/* Announce that this PE is about to sleep: it then sees everything that other PEs did before they looked
 * whether it sleeps. The announcement lasts until the bell is rung, or the wait ends. Returns false if it was
 * standing already, and nothing is new. */
bool uno_wait_arm(struct uno_wait *wait);

/* Sleep until this PE's bell is rung; uno_wait_arm has returned true. */
void uno_wait_sleep(struct uno_pe *pe);

/* Sleep until the word differs from `seen`, or the bell from `rung`. Returns false, at once, if the kernel
 * cannot sleep on two words: before Linux 5.16, or under valgrind. */
bool uno_wait_either(struct uno_pe *pe, uno_atomic64 *word, uint64_t seen, uint64_t rung);

/* Give the processor away once. Returns when this PE has it again. */
void uno_wait_give_away(struct uno_pe *pe);

/* Return the processor that this PE runs on, and publish it. */
uint32_t uno_wait_here(struct uno_pe *pe);

/* Return true if PE k was last seen on the processor on which this PE runs. */
bool uno_wait_beside(struct uno_pe *pe, int k);

/* Take one step of waiting. Called each time PE k was looked at and has not arrived. header: the word that
 * changes when it arrives, and `seen` its value; NULL if there is no word to sleep on. Sets wait->left; ends
 * the process if the job has failed. */
void uno_wait_step(struct uno_wait *wait, uno_atomic64 *header, uint64_t seen);

/* A PE whose time passes at its port alone (pe->paced) waits there at once. Take a step of such a wait; the
 * caller has looked for what it waits for, and has found that it may still come. Returns false if nothing has
 * come, and the step is to be taken as any other: all PEs wait, or this one has an interrupt to take part in,
 * or a function of the program's to call. */
bool uno_wait_at_port(struct uno_wait *wait, const struct uno_resting *resting);

/* Take part in an interrupt, if there is one, to its end. Called at the beginning of an operation, where a PE
 * finds UNO_INTERRUPTED on its board. */
void uno_wait_interrupt(struct uno_pe *pe, unsigned signature) __attribute__((cold));

/* End the wait. Called once PE k has arrived. Ends an interrupt that this PE has acknowledged meanwhile. */
void uno_wait_end(struct uno_wait *wait);

/* Wake the PEs that sleep until the poster posts. The poster calls this right after it has stored the header.
 * Returns its `parked`. */
static inline uint32_t uno_wait_wake(struct uno_board *poster, uno_atomic64 *header) {
#ifdef UNO_AWAKE /* a variant in which nobody sleeps until a post, to measure what this function costs */
    (void)poster, (void)header;
    return 0;
#endif
    /* SYNC PARKED: the header to the sleeper, or the sleeper to the poster */
    uno_fence_light();
    uint32_t parked = uno_load32_relaxed(&poster->parked);
    if (UNO_UNLIKELY(parked))
        uno_kernel_wake(header);
    return parked;
}

#endif

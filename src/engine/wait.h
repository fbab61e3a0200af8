/* How a PE waits for another: spin, give the processor away, and after a while sleep. */

#ifndef UNO_WAIT_H
#define UNO_WAIT_H

#include "bell.h"
#include "pe.h"

/* One wait: whom for, in which operation, and how far it has come. Whoever waits sets the first ones, of a
 * message also the last two; the others begin with 0. */
struct uno_wait {
    struct uno_pe *pe;
    int k; /* the PE that is waited for; negative: any */
    unsigned signature;
    bool writes;    /* it ends when PE k takes in what this one has written; otherwise by what it writes */
    bool misses;    /* more PEs than processors, and one that is waited for was last seen on this one */
    uint64_t began; /* CLOCK_MONOTONIC ns at the first look at the clock; 0 before */
    uint64_t moved; /* the same when there last was something else to do, or at the beginning */
    uint64_t quiet; /* ns since then */
    uint64_t asked; /* when the program's function was called last, or at the beginning */
    unsigned steps;
    unsigned given;       /* times that the processor was given away */
    bool yields;          /* past spinning */
    bool naps;            /* sleep comes so early since the processor is given away in vain */
    bool left;            /* the PE waited for has left; what it posted before is visible */
    bool fenced;          /* who does what is waited for has seen, or will see, that this PE sleeps */
    uno_atomic32 *parked; /* among whose sleepers this PE is; NULL: none */
    uint32_t context;     /* of a message, */
    size_t room;          /* and the bytes that there is room for, plus 1; 0: not known. Only to be shown */
};

/* One step of waiting, short of sleep: spins, or gives the processor away, and ends the process if the job
 * has failed. Returns whether it has become time to sleep. */
bool uno_wait_pace(struct uno_wait *wait);

/* Be about to sleep: what others did before they looked whether this PE sleeps is visible afterwards. Lasts
 * until the bell is rung, or the wait ends. Returns false if it had lasted, and nothing is new. */
bool uno_wait_arm(struct uno_wait *wait);

/* Then: sleep until this PE's bell is rung. */
void uno_wait_sleep(struct uno_pe *pe);

/* Sleep until the word is no more what was seen there, or the bell what it was when it was last heard.
 * Returns false, at once, if the kernel cannot sleep on two words: before Linux 5.16, or under valgrind. */
bool uno_wait_either(struct uno_pe *pe, uno_atomic64 *word, uint64_t seen, uint64_t rung);

/* Let whoever else is on this processor run. Returns when it is this PE's turn again. */
void uno_wait_give_away(struct uno_pe *pe);

/* Where this PE runs; the others are told. */
uint32_t uno_wait_here(struct uno_pe *pe);

/* Whether PE k was last seen on the processor on which this one runs. */
bool uno_wait_beside(struct uno_pe *pe, int k);

/* To be called each time PE k was looked at and has not arrived. header: what changes when it does, and the
 * value seen; NULL if nothing is to be slept on. Sets wait->left; ends the process if the job has failed. */
void uno_wait_step(struct uno_wait *wait, uno_atomic64 *header, uint64_t seen);

/* At the beginning of an operation, where a PE finds UNO_INTERRUPTED on its board: take part in the
 * interrupt, if there is one, to its end. */
void uno_wait_interrupt(struct uno_pe *pe, unsigned signature) __attribute__((cold));

/* To be called once PE k has arrived. Ends an interrupt that this PE has acknowledged meanwhile. */
void uno_wait_end(struct uno_wait *wait);

/* The poster's part, right after it has stored the header: wake those who sleep until it does. Returns its
 * `parked`. */
static inline uint32_t uno_wait_wake(struct uno_board *poster, uno_atomic64 *header) {
#ifdef UNO_AWAKE /* nobody sleeps until a post: a variant, to measure what this function costs */
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

/* Several threads of a process that are one PE, in turn. A thread has the PE while it holds its lock, which
 * it takes for each call. One that waits gives the lock away: wherever it gives the processor away, sleeps,
 * or sees that another thread wants the lock.
 *
 * Of those that wait one looks for messages, for all of them, and sleeps on the PE's bell. The others rest,
 * each on a word of its own, until what they wait for is done, or nobody looks any more. A thread that waits
 * in the middle of a send looks before others do, and no other send begins until it goes on. */

#ifndef UNO_SHIFTS_H
#define UNO_SHIFTS_H

#include "pe.h"

/* A wait of a thread. */
struct uno_shift {
    const bool *done; /* the wait is over when this is set; NULL: anything that moves may end it */
    bool writes;      /* it is in the middle of a send */
};

/* A thread that rests. */
struct uno_idle {
    struct uno_idle *next;
    const bool *done; /* is true when it can go on; NULL: anything that moves lets it */
    const bool *busy; /* or is false then */
    uno_atomic64 called;
};

struct uno_shifts {
    uno_atomic64 lock;   /* 0: free; 1: held; 2: held, and a thread may sleep until it is free */
    uno_atomic32 wanted; /* threads that wait for the lock */
    /* the rest belongs to the thread that holds the lock */
    struct uno_pe *pe;
    const uint64_t *moves; /* the channel's count of what has moved, */
    uint64_t told;         /* and what it was when the threads that wait were told last */
    const struct uno_shift *looker;
    bool asleep;   /* the looker sleeps on the bell */
    uint64_t rung; /* the last sleep that was ended by this process */
    struct uno_idle *first;
    const void *thread;   /* the thread that it was at first, */
    bool several;         /* and true once another one has been it */
    bool (*others)(void); /* as long as it is not: may another one come while this one waits? */
};

/* Let several threads be this PE. moves, others: as in the structure. The caller holds the lock then. */
void uno_shifts_start(struct uno_shifts *shifts, struct uno_pe *pe, const uint64_t *moves,
                      bool (*others)(void));

/* Return true if another thread may act as this PE while the calling one waits. */
static inline bool uno_shifts_others(const struct uno_pe *pe) {
    const struct uno_shifts *shifts = pe->shifts;
    return UNO_UNLIKELY(shifts != NULL) && (shifts->several || shifts->others());
}

/* Take the lock, and give it away; then the threads that wait for what has been done meanwhile go on. */
void uno_shifts_take(struct uno_shifts *shifts);
void uno_shifts_give(struct uno_shifts *shifts);

/* Give the lock away for a moment, in which this thread gives its processor away. */
void uno_shifts_pause(struct uno_shifts *shifts);

/* Give the lock away before the thread that looks sleeps on the bell, and take it afterwards. Whoever has
 * something for it meanwhile rings. */
void uno_shifts_sleep(struct uno_shifts *shifts);
void uno_shifts_wake(struct uno_shifts *shifts);

/* To be called by a thread that waits, before each step of its wait. Returns true if it is the one that
 * looks; false if others have had the lock meanwhile, so that it has to look again. */
bool uno_shifts_look(struct uno_shifts *shifts, const struct uno_shift *shift);

/* Return true if it is the wait of the thread that looks. */
static inline bool uno_shifts_looks(const struct uno_shifts *shifts, const struct uno_shift *shift) {
    return shifts->looker == shift;
}

/* End the wait, whose thread may have been the one that looks. */
void uno_shifts_end_wait(struct uno_shifts *shifts, const struct uno_shift *shift);

/* Wait until no thread is in the middle of a send. busy: it is set while one is. */
void uno_shifts_await(struct uno_shifts *shifts, const bool *busy);

#endif

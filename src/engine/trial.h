/* Two ways to do the same thing, of which the clock tells which one is faster: it depends on the machine, on
 * where its host puts the processors, and on what the caches hold. So a few goes by either way are timed, all
 * of the first way before all of the second, since either one leaves other data in the caches than the other
 * one expects. Then the way whose best go took less is taken for many goes, until the next trial.
 *
 * A trial that is all zeros is due. Who is about to go begins it then, asks for the way, and afterwards tells
 * the time, if the trial was running, and counts. */

#ifndef UNO_TRIAL_H
#define UNO_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

struct uno_trial {
    uint32_t least[2]; /* ns that a go of this trial took by either way; UINT32_MAX: none has told */
    uint16_t tries;    /* goes by either way */
    uint16_t runs;     /* goes of the trial that are still to come; 0: it has ended */
    uint16_t rests;    /* goes from its end to the next one that are still to come */
};

static inline bool uno_trial_is_due(const struct uno_trial *t) {
    return !t->runs && !t->rests;
}

/* Returns true if the next go is one of the trial. */
static inline bool uno_trial_runs(const struct uno_trial *t) {
    return t->runs;
}

static inline void uno_trial_begin(struct uno_trial *t, unsigned tries) {
    *t = (struct uno_trial){
        .least = {UINT32_MAX, UINT32_MAX}, .tries = (uint16_t)tries, .runs = (uint16_t)(2 * tries)};
}

/* The way of the next go, 0 or 1. */
static inline int uno_trial_way(const struct uno_trial *t) {
    return t->runs ? t->runs <= t->tries : t->least[1] < t->least[0];
}

/* The go took so long, by the way of the trial. */
static inline void uno_trial_learn(struct uno_trial *t, uint64_t ns) {
    uint32_t *least = &t->least[uno_trial_way(t)];
    if (ns < *least)
        *least = (uint32_t)ns;
}

/* Returns true if there is something to compare. */
static inline bool uno_trial_has_told(const struct uno_trial *t) {
    return t->least[0] != UINT32_MAX && t->least[1] != UINT32_MAX;
}

/* The trial ends here; the next one is due after so many goes. */
static inline void uno_trial_end(struct uno_trial *t, unsigned rests) {
    t->runs = 0;
    t->rests = (uint16_t)rests;
}

/* One more go has been. Returns whether the trial has ended with it, which so rests for that many goes. */
static inline bool uno_trial_count(struct uno_trial *t, unsigned rests) {
    if (!t->runs) {
        t->rests -= t->rests != 0;
        return false;
    }
    if (--t->runs)
        return false;
    t->rests = (uint16_t)rests;
    return true;
}

#endif

/* A choice between two ways to do the same thing, by measurement: the faster one depends on the machine, on
 * its host's placement of the processors, and on the content of the caches. So a few runs of either way are
 * timed, all of the first way before all of the second, since each leaves other data in the caches than the
 * other one expects. Then the way whose best run took less is used for many runs, until the next trial.
 *
 * A trial that is all zeros is due. Before a run the caller begins a trial that is due, and asks for the way;
 * afterwards it reports the time, if the trial was running, and counts the run. */

#ifndef UNO_TRIAL_H
#define UNO_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

struct uno_trial {
    uint32_t least[2]; /* the least ns of a run of this trial by either way; UINT32_MAX: none yet */
    uint16_t tries;    /* runs by either way */
    uint16_t runs;     /* runs of the trial that are still to come; 0: it has ended */
    uint16_t rests;    /* runs until the next trial */
};

static inline bool uno_trial_is_due(const struct uno_trial *t) {
    return !t->runs && !t->rests;
}

/* Return true if the next run belongs to the trial. */
static inline bool uno_trial_runs(const struct uno_trial *t) {
    return t->runs;
}

static inline void uno_trial_begin(struct uno_trial *t, unsigned tries) {
    *t = (struct uno_trial){
        .least = {UINT32_MAX, UINT32_MAX}, .tries = (uint16_t)tries, .runs = (uint16_t)(2 * tries)};
}

/* Return the way of the next run, 0 or 1. */
static inline int uno_trial_way(const struct uno_trial *t) {
    return t->runs ? t->runs <= t->tries : t->least[1] < t->least[0];
}

/* Report the time of a run by the way of the trial. */
static inline void uno_trial_learn(struct uno_trial *t, uint64_t ns) {
    uint32_t *least = &t->least[uno_trial_way(t)];
    if (ns < *least)
        *least = (uint32_t)ns;
}

/* Return true if both ways have a time. */
static inline bool uno_trial_has_told(const struct uno_trial *t) {
    return t->least[0] != UINT32_MAX && t->least[1] != UINT32_MAX;
}

/* Let the trial end with the run that is counted next: more of them would tell nothing. */
static inline void uno_trial_end_early(struct uno_trial *t) {
    t->runs = 1;
}

/* End the trial here; the next one is due after `rests` runs. */
static inline void uno_trial_end(struct uno_trial *t, unsigned rests) {
    t->runs = 0;
    t->rests = (uint16_t)rests;
}

/* Count a run. Returns true if the trial has ended with it; the next one is due after `rests` runs. */
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

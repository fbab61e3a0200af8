/* The phases in which a job ends. */

#ifndef UNO_PHASE_H
#define UNO_PHASE_H

#include "run.h"

enum {
    /* Each phase lasts so long, so that all is over within a second of a failure; the last one after a signal
     * to the launcher. In ns. */
    UNO_GRACE_NS = 500 * 1000 * 1000,
    UNO_TERMINATION_NS = 250 * 1000 * 1000,
    UNO_SIGNAL_NS = 1000 * 1000 * 1000,
    /* Between two looks whether any PE can go on. */
    UNO_DEADLOCK_NS = 100 * 1000 * 1000,
};

/* Send a signal to every PE. */
void uno_phase_send(struct uno_run *run, int signal_number);

/* Begin a phase, with a signal to every PE if that is not 0. The next phase follows after so many ns; 0:
 * never. */
void uno_phase_enter(struct uno_run *run, enum uno_phase phase, int signal_number, uint64_t lasts);

#endif

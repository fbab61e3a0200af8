/* The phases in which a job ends. */

#ifndef UNO_PHASE_H
#define UNO_PHASE_H

#include "run.h"

enum {
    /* The length of each phase in ns, so that everything is over within a second of a failure. The last one
     * follows a signal to the launcher. */
    UNO_GRACE_NS = 500 * 1000 * 1000,
    UNO_TERMINATION_NS = 250 * 1000 * 1000,
    UNO_SIGNAL_NS = 1000 * 1000 * 1000,
    /* Time between two looks for a deadlock. */
    UNO_DEADLOCK_NS = 100 * 1000 * 1000,
};

/* Send a signal to every PE. */
void uno_phase_send(struct uno_run *run, int signal_number);

/* Begin a phase, with a signal to every PE if that is not 0. The next phase follows after `lasts` ns; 0:
 * never. */
void uno_phase_enter(struct uno_run *run, enum uno_phase phase, int signal_number, uint64_t lasts);

#endif

/* The loop of a program that simulates a unit: its clock goes on when every PE has something to do at its
 * port, or is known to be busy elsewhere. Time that a PE spends elsewhere does not exist for the unit. */

#ifndef UNO_DRIVE_H
#define UNO_DRIVE_H

#include "engine/job.h"

struct uno_driven {
    struct uno_job *job;
    void *unit;
    /* Look at all ports. Return true if the clock may go on: every PE that is not away has a command, and
     * something can change. */
    bool (*look)(void *unit);
    void (*step)(void *unit);
    /* Return true if every PE has left; and if PE k has no command. */
    bool (*empty)(const void *unit);
    bool (*idle)(const void *unit, int k);
    /* Note if PE k, which has none, sleeps, and not at its port: the clock then does not wait for it. */
    void (*set_away)(void *unit, int k, bool away);
};

/* Drive the unit until the job is over. */
void uno_drive(const struct uno_driven *driven);

#endif

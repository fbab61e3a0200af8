/* The contract of a unit, which carries the operations of groups of PEs. The faces know nothing else about
 * it. The engine offers a rendezvous over boards in shared memory (engine/rendezvous.h) that meets this
 * contract for PEs which share memory; another unit may carry an operation as it likes.
 *
 * To add one, write a file src/unit/NAME.c that defines uno_unit_NAME, and a row of registry.def, by which it
 * is built, named by `unisono run --unit`, found, and tested by the conformance suite. Optional functions may
 * be NULL, which is handled here, in registry.c and in p_exit, and nowhere else. */

#ifndef UNO_UNIT_H
#define UNO_UNIT_H

#include "engine/pe.h"
#include "registry.def"

struct uno_unit {
    /* For a unit whose row says `run`. Called by p_init, on a thread that is no PE: become the PE that the
     * environment names, or without a launcher the PE of a job of one. May block. Ends the process, with a
     * message, if that is impossible. The PE (uno_pe_start), and everything else that this makes, belong to
     * the unit until part. */
    struct uno_pe *(*join)(void);

    /* For a unit whose row says `named` or `hosts`. Called by p_init in a job that was started for this unit,
     * when the join of the unit of processes has made the PE, and its unit has become this one: add this
     * unit's state. Does not block. Optional. */
    void (*begin)(struct uno_pe *pe);

    /* For a unit whose row says `team`. Called by p_team, on a thread that is no PE, with
     * 1 <= n <= UNO_MAX_PES: run function(argument) as n PEs of a new job, and return the greatest result
     * when all have returned. */
    int (*team)(int n, int (*function)(void *argument), void *argument);

    /* Called by the PE itself, in every operation: put `words` 8-byte words (1 to UNO_BYTES / 8) into the
     * operation that the signature names, wait until every member of pe->group has, and return what each put:
     * a pointer for each member, in PE order, valid until this PE's leave and while `in` is; or, of an
     * operation for which uno_pe_function says so, other data with the same outcome. May block, by
     * engine/wait.h alone; ends the process, with a message, on a mismatch or when a member is dead. No
     * operation completes at a PE before every member has arrived. pe->board->awaited becomes the PE that
     * this one had to wait for last, if it had to wait. */
    const void *const *(*meet)(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);

    /* Called by the PE after each meet, when it has finished reading. Does not block. Optional. */
    void (*leave)(struct uno_pe *pe);

    /* Called by the PE: raise a parallel interrupt. Every PE of the job that has not left takes part in it by
     * the end of the first operation that it begins afterwards, and then calls pe->handle, if it has one.
     * Without memory in common it begins one afterwards if it has met this PE, itself or through others, in
     * one that this PE has begun since. May block, by engine/wait.h alone. */
    void (*interrupt)(struct uno_pe *pe);

    /* Called by p_exit: this PE takes part in no further operation. Frees what join and begin have made, the
     * PE too; a unit whose PEs another unit's join makes ends with that unit's part. Does not block.
     * Optional. */
    void (*part)(struct uno_pe *pe);
};

#define X(name, ...) extern const struct uno_unit uno_unit_##name;
UNO_UNITS(X)
#undef X

/* A row of registry.def. */
enum uno_unit_start { UNO_START_run, UNO_START_named, UNO_START_team, UNO_START_hosts };
struct uno_unit_row {
    const char *name; /* `written` */
    const struct uno_unit *unit;
    enum uno_unit_start start;
    const char *process;
    int most;
};

/* The rows of all units; the last one has no name. */
extern const struct uno_unit_row uno_unit_rows[];

/* The unit of a thread that has not checked in: every operation is an error. */
extern const struct uno_unit uno_unit_outside;

/* Detect from now on a child that a PE forks, and put it outside, too. Costs nothing until there is one. */
void uno_unit_look_for_children(void);

/* Return the row of this name; and the first row whose units start in this way. NULL: there is none. */
const struct uno_unit_row *uno_unit_named(const char *name);
const struct uno_unit_row *uno_unit_first(enum uno_unit_start start);

/* The join and the team of the first unit that starts in that way. If the job observes, its PEs are observed
 * from then on. */
struct uno_pe *uno_unit_join(void);
int uno_unit_team(int n, int (*function)(void *argument), void *argument);

static inline void uno_leave(struct uno_pe *pe) {
    if (pe->unit->leave)
        pe->unit->leave(pe);
}

#endif

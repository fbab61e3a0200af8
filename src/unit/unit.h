/* The contract of a unit: what carries one operation of a group of PEs. The engine and the faces above it
 * know nothing else about it. To add one: a file here, and a line in tests/CMakeLists.txt, by which it
 * inherits the conformance suite. */

#ifndef UNO_UNIT_H
#define UNO_UNIT_H

#include "engine/pe.h"

struct uno_unit {
    const char *name;

    /* Put `words` 8-byte words (1 to UNO_BYTES / 8) into the operation that the signature names, wait until
     * every member of pe->group has, and return what each put: a pointer for each member, in PE order, valid
     * until this PE's leave and while `in` is. May block; ends the process, with a message, on a mismatch or
     * when a member is dead. No operation completes at a PE before every member has arrived. */
    const void *const *(*meet)(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words);

    /* This PE has finished reading. Does not block. Optional. */
    void (*leave)(struct uno_pe *pe);

    /* This PE will take part in nothing more, and may be freed. Does not block. Optional. */
    void (*part)(struct uno_pe *pe);
};

extern const struct uno_unit uno_unit_shm, uno_unit_thread;

/* Does what the unit of the PE's job does, and records it: in place of that unit where the job observes. */
extern const struct uno_unit uno_unit_observed;

/* Begin the record of a PE of that unit. */
void uno_observed_start(struct uno_pe *pe);

/* The PE of a thread that has not checked in. */
extern const struct uno_unit uno_unit_outside;

/* shm.c: become the PE that the environment names, or without a launcher a job of one. */
struct uno_pe *uno_shm_join(void);

/* shm.c: the part function of such a PE, which frees what join made. */
void uno_shm_part(struct uno_pe *pe);

static inline void uno_leave(struct uno_pe *pe) {
    if (pe->unit->leave)
        pe->unit->leave(pe);
}

#endif

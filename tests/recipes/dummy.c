/* The unit that tests/recipes adds to a copy of the source, as docs/design.md tells ("How to add / A unit"):
 * processes that meet on the boards of the engine, as those of the default unit do. With DUMMY_STOPS in the
 * environment it ends the job in the first operation, so that a test sees that it is this unit that carries.
 */

#include <stdlib.h>

#include "engine/fault.h"
#include "engine/interrupt.h"
#include "engine/rendezvous.h"
#include "unit/unit.h"

static struct uno_pe *join(void) {
    struct uno_pe *pe = uno_unit_shm.join();
    pe->unit = &uno_unit_dummy;
    return pe;
}

static const void *const *meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    if (getenv("DUMMY_STOPS"))
        uno_fail(pe, "the dummy carries this");
    return uno_board_meet(pe, signature, in, words);
}

static void part(struct uno_pe *pe) {
    uno_unit_shm.part(pe);
}

const struct uno_unit uno_unit_dummy = {
    .join = join,
    .meet = meet,
    .leave = uno_board_leave,
    .interrupt = uno_interrupt_raise,
    .part = part,
};

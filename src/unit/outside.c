/* A thread that is no PE, and its unit: everything is an error. */

#include <pthread.h>

#include "engine/fault.h"
#include "engine/signature.h"
#include "unit/unit.h"

static const void *const *meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    (void)in, (void)words;
    char op[UNO_SIGNATURE_TEXT];
    uno_fail_outside(pe, uno_signature_text(signature, op));
}

const struct uno_unit uno_unit_outside = {.meet = meet};

#define NO_GROUP                                                                                             \
    { .rank = -1, .first = -1, .other = -1 }
static struct uno_pe before = {.unit = &uno_unit_outside, .group = NO_GROUP};
struct uno_pe uno_pe_after = {.unit = &uno_unit_outside, .group = NO_GROUP};
/* A forked child; its exit handlers are its parent's, which runs them itself. */
struct uno_pe uno_pe_forked = {.unit = &uno_unit_outside, .group = NO_GROUP, .ends = true};

_Thread_local struct uno_pe *uno_self = &before;

const char *uno_pe_when(const struct uno_pe *pe) {
    if (pe == &uno_pe_forked)
        return "in a child that a PE has made by fork, which is no PE itself";
    return pe == &uno_pe_after ? "after p_exit" : "before p_init";
}

/* A child that was made by a signal's handler in the middle of a wait, and returns to it. */
static void waits(uint64_t ns) {
    (void)ns;
    uno_fail(&uno_pe_forked, "a child that a PE has made by fork in a signal's handler, while the PE "
                             "waited, waits on: it is no PE itself, and must not return from the handler");
}

/* A child has all that its parent has, and would take the parent's part in the next operation. What it has is
 * a copy, so this changes nothing for the parent. */
static void in_child(void) {
    struct uno_pe *pe = uno_self;
    if (!pe->job)
        return;
    if (!pe->on_wait)
        pe->on_wait = waits;
    uno_self = &uno_pe_forked;
}

static void look_for_children(void) {
    pthread_atfork(NULL, NULL, in_child);
}

void uno_unit_look_for_children(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look_for_children);
}

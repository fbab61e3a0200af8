/* A thread that is no PE, and its unit: everything is an error. */

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

_Thread_local struct uno_pe *uno_self = &before;

const char *uno_pe_when(const struct uno_pe *pe) {
    return pe == &uno_pe_after ? "after p_exit" : "before p_init";
}

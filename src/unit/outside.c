/* The unit of a thread that is no PE: everything is an error. */

#include "engine/fault.h"
#include "engine/signature.h"
#include "unit/unit.h"

static const void *const *meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    (void)in, (void)words;
    char op[UNO_SIGNATURE_TEXT];
    uno_fail(pe, "%s was called %s", uno_signature_text(signature, op), uno_pe_when(pe));
}

const struct uno_unit uno_unit_outside = {.name = "outside", .meet = meet};

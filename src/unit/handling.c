#include "handling.h"

#include "engine/fault.h"
#include "engine/signature.h"
#include "unit/unit.h"

static const void *const *meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    (void)in, (void)words;
    char op[UNO_SIGNATURE_TEXT];
    uno_fail(pe,
             "%s was called in the handler of an interrupt, which is within an operation already; note what "
             "is to be done "
             "and do it after that",
             uno_signature_text(signature, op));
}

static void interrupt(struct uno_pe *pe) {
    pe->carrier->interrupt(pe);
}

static const struct uno_unit handling = {.meet = meet, .interrupt = interrupt};

void uno_handle(struct uno_pe *pe, const uint64_t *cause) {
    const struct uno_unit *unit = pe->unit;
    if (unit == &handling) { /* the handler has raised one that is over already */
        pe->on_interrupt(cause);
        return;
    }
    pe->carrier = unit;
    pe->unit = &handling;
    pe->on_interrupt(cause);
    pe->unit = unit;
}

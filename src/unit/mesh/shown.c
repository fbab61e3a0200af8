#include "shown.h"

#include "engine/fault.h"
#include "engine/group.h"
#include "engine/nodes.h"
#include "engine/signature.h"
#include "inbox.h"
#include "unit/rtl/rtl.h"

/* Return the place in the memory of PE `to` for operation `number` of those that PE `from` shares with it. */
static struct uno_shown *place(const struct uno_pe *pe, int from, int to, uint64_t number) {
    return &uno_inbox(pe->rtl->ports, pe->n, to)->shown[from][number % 2];
}

void uno_shown_show(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words) {
        uint64_t number = ++pe->rtl->shared[k];
        struct uno_shown *shown = place(pe, pe->me, k, number);
        shown->mask = pe->group.mask[0];
        shown->signature = signature;
        shown->put = words > 1 ? in[1] : 0;
        /* SYNC SHOWN: the operation */
        uno_store64_release(&shown->number, number);
    }
}

static UNO_COLD _Noreturn void mismatch(struct uno_pe *pe, int k, unsigned signature,
                                        const struct uno_shown *shown) {
    char mine[UNO_CALL_TEXT], group[UNO_MASK_TEXT], op[UNO_SIGNATURE_TEXT], other[UNO_MASK_TEXT];
    uno_fail_apart(pe, "mismatch: PE %d on %s is in %s of group %s, but PE %d on %s is in %s of group %s",
                   pe->me, uno_node_name(pe, pe->me), uno_call_text(pe, signature, mine),
                   uno_mask_text(pe->group.mask, pe->job->words, group), k, uno_node_name(pe, k),
                   uno_signature_text(shown->signature, op), uno_mask_text(&shown->mask, 1, other));
}

/* Return what PE k has shown of this PE's operation; NULL: it has not come. */
static const struct uno_shown *look(struct uno_pe *pe, int k, unsigned signature) {
    uint64_t number = pe->rtl->shared[k];
    const struct uno_shown *shown = place(pe, k, pe->me, number);
    /* SYNC SHOWN: the operation */
    if (uno_load64_acquire(&shown->number) != number)
        return NULL;
    bool fits = shown->signature == signature || (pe->fits && pe->fits(pe, signature, shown->signature));
    if (!fits || shown->mask != pe->group.mask[0])
        mismatch(pe, k, signature, shown);
    return shown;
}

int uno_shown_missing(struct uno_pe *pe, unsigned signature) {
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words)
        if (!look(pe, k, signature))
            return k;
    return -1;
}

void uno_shown_read(struct uno_pe *pe, unsigned signature, uint64_t *put) {
    int i = 0;
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words) {
        const struct uno_shown *shown = look(pe, k, signature);
        if (!shown)
            uno_fail(pe, "the unit beside the network ended an operation to which PE %d has not come", k);
        if (put)
            put[i++] = shown->put;
    }
}

void uno_shown_left(struct uno_pe *pe, int k, unsigned signature) {
    char op[UNO_SIGNATURE_TEXT], group[UNO_MASK_TEXT];
    uno_fault_check(pe, k, signature);
    uno_fail_apart(pe, "%s of group %s waits for PE %d on %s, which has left",
                   uno_signature_text(signature, op), uno_mask_text(pe->group.mask, pe->job->words, group), k,
                   uno_node_name(pe, k));
}

#include "collective/transport/ring.h"

#include "engine/fault.h"
#include "engine/group.h"

static unsigned signature_of(uint64_t word) {
    return word & 0xffff;
}

/* A wait for what a PE puts into a ring, or takes out of it. */
struct await {
    const struct uno_comm *c;
    uno_atomic64 *changes; /* when it has */
    struct uno_wait wait;
    int posted; /* the PE is waited for in a meeting, in this slot: they are in different operations; or -1 */
};

static struct await await_of(const struct uno_comm *c, int k, uint64_t word, uno_atomic64 *changes) {
    return (struct await){
        .c = c,
        .changes = changes,
        .wait = {.pe = c->lane->pe, .k = k, .signature = signature_of(word)},
        .posted = -1,
    };
}

/* Take one step of the wait. seen: the word that has to change. */
static void step(struct await *a, uint64_t seen) {
    struct uno_wait *wait = &a->wait;
    if (a->c->lane->present != a->c)
        uno_comm_enter(a->c); /* for those who are told of the wait */
    if (UNO_UNLIKELY(wait->left))
        uno_board_left(wait->pe, wait->k, wait->signature);
    if (UNO_UNLIKELY(a->posted >= 0))
        uno_board_mismatch(wait->pe, wait->k, a->posted, wait->signature);
    /* The first step gives the processor away, so that the switch goes on while others work. */
    wait->misses = !wait->pe->spin && (uno_wait_beside(wait->pe, wait->k) || !wait->steps);
    uno_wait_step(wait, a->changes, seen);
    if (wait->began)
        a->posted = uno_board_awaited_in(wait->pe, wait->k);
}

UNO_COLD void uno_rings_await_room(const struct uno_comm *c, int k, uint64_t word, unsigned lines) {
    struct uno_outlet *out = &c->lane->ring[k].out;
    struct await a = await_of(c, k, word, &out->ring->taken);
    for (;;) {
        uint64_t seen = uno_load64_relaxed(a.changes);
        if (uno_ring_room(out, lines))
            break;
        step(&a, seen);
    }
    uno_wait_end(&a.wait);
}

UNO_COLD void uno_rings_await(const struct uno_comm *c, int k, uint64_t word) {
    struct uno_inlet *in = &c->lane->ring[k].in;
    struct await a = await_of(c, k, word, &in->ring->line[in->next & in->mask].header);
    for (;;) {
        uint64_t seen = uno_load64_relaxed(a.changes);
        if (uno_ring_look(in))
            break;
        step(&a, seen);
    }
    uno_wait_end(&a.wait);
}

void uno_rings_differ(const struct uno_comm *c, int k, uint64_t word, uint64_t theirs, bool whole) {
    struct uno_pe *pe = c->lane->pe;
    if (whole && theirs >> 16 == word >> 16 &&
        (signature_of(theirs) == signature_of(word) ||
         (pe->fits && pe->fits(pe, signature_of(word), signature_of(theirs)))))
        return;
    char my_op[UNO_SIGNATURE_TEXT], op[UNO_SIGNATURE_TEXT], group[UNO_MASK_TEXT];
    uno_fail_apart(
        pe, "mismatch: PE %d is in %s of group %s, but what PE %d sent is of %s%s", pe->me,
        uno_signature_text(signature_of(word), my_op), uno_mask_text(c->group.mask, pe->job->words, group), k,
        uno_signature_text(signature_of(theirs), op), theirs >> 16 != word >> 16 ? " of another group" : "");
}

#include "collective/transport/ring.h"

#include "engine/fault.h"
#include "engine/group.h"

static unsigned signature_of(uint64_t word) {
    return word & 0xffff;
}

/* A wait for what PE k puts into a ring, or takes out of it. */
struct await {
    const struct uno_comm *c;
    int k;
    uint64_t word;
    uno_atomic64 *changes; /* when it has */
    struct uno_wait wait;
    int posted; /* it waits for this PE in a meeting, in this slot: they are in different operations; or -1 */
};

/* One step of it. seen: the word that is to change. */
static void step(struct await *a, uint64_t seen) {
    struct uno_pe *pe = a->c->lane->pe;
    unsigned signature = signature_of(a->word);
    if (a->c->lane->present != a->c)
        uno_comm_enter(a->c); /* for those who are told of the wait */
    if (UNO_UNLIKELY(a->wait.left)) {
        char op[UNO_SIGNATURE_TEXT], group[UNO_GROUP_TEXT];
        uno_fault_check(pe, a->k, signature);
        uno_fail(pe, "%s of group %s waits for PE %d, which has left", uno_signature_text(signature, op),
                 uno_group_text(a->c->group.mask, pe->job->words, group), a->k);
    }
    if (UNO_UNLIKELY(a->posted >= 0))
        uno_board_mismatch(pe, a->k, a->posted, signature);
    pe->board->awaited = a->k;
    bool here = uno_wait_here(pe) == uno_load32_relaxed(&pe->job->processor[a->k]);
    if (pe->spin)
        a->wait.yields |= here;
    else
        a->wait.misses = here;
    /* The first step gives the processor away, so that the switch goes on while others work. */
    if (pe->spin || here || !a->wait.steps || !uno_wait_briefly(a->changes, seen))
        uno_wait_step(pe, &a->wait, a->k, signature, a->changes, seen);
    if (a->wait.began)
        a->posted = uno_board_awaited_in(pe, a->k);
}

UNO_COLD void uno_rings_await_room(const struct uno_comm *c, int k, uint64_t word, unsigned lines) {
    struct uno_outlet *out = &c->lane->ring[k].out;
    struct await a = {.c = c, .k = k, .word = word, .changes = &out->ring->taken, .posted = -1};
    for (;;) {
        uint64_t seen = uno_load64_relaxed(a.changes);
        if (uno_ring_room(out, lines))
            break;
        step(&a, seen);
    }
    uno_wait_end(c->lane->pe, &a.wait);
}

UNO_COLD void uno_rings_await(const struct uno_comm *c, int k, uint64_t word) {
    struct uno_inlet *in = &c->lane->ring[k].in;
    struct await a = {.c = c, .k = k, .word = word, .posted = -1};
    a.changes = &in->ring->line[in->next & in->mask].header;
    for (;;) {
        uint64_t seen = uno_load64_relaxed(a.changes);
        if (uno_ring_look(in))
            break;
        step(&a, seen);
    }
    uno_wait_end(c->lane->pe, &a.wait);
}

void uno_rings_mismatch(const struct uno_comm *c, int k, uint64_t word, uint64_t theirs) {
    struct uno_pe *pe = c->lane->pe;
    char my_op[UNO_SIGNATURE_TEXT], op[UNO_SIGNATURE_TEXT], group[UNO_GROUP_TEXT];
    uno_fail(pe, "mismatch: PE %d is in %s of group %s, but what PE %d sent is of %s%s", pe->me,
             uno_signature_text(signature_of(word), my_op),
             uno_group_text(c->group.mask, pe->job->words, group), k,
             uno_signature_text(signature_of(theirs), op),
             theirs >> 16 != word >> 16 ? " of another group" : "");
}

/* p_enqueue, p_wait, p_waitvec, p_any, p_all. */

#include "meet.h"

void p_enqueue(uint64_t mask) {
    struct uno_pe *pe = uno_self;
    uno_check_inside(pe, "p_enqueue");
    uint64_t wide[UNO_WORDS];
    wide[0] = mask;
    for (int w = 1; w < pe->job->words; w++)
        wide[w] = 0;
    uno_group_set(pe, wide, "p_enqueue");
}

void p_enqueueWide(const uint64_t *mask) {
    struct uno_pe *pe = uno_self;
    uno_check_inside(pe, "p_enqueueWide");
    if (!mask)
        uno_fail(pe, "p_enqueueWide: the mask is a null pointer");
    uno_group_set(pe, mask, "p_enqueueWide");
}

void p_wait(void) {
    UNO_MEET_UNTYPED(p_wait, 0);
    (void)data;
    uno_leave(pe);
}

/* Set in mask, of `words` words, the bit of every member that put a word other than 0. */
static void assemble(const struct uno_pe *pe, const void *const *data, uint64_t *mask, int words) {
    for (int w = 0; w < words; w++)
        mask[w] = 0;
    UNO_FOR_EACH_PE (k, pe->group.mask, words)
        mask[k / 64] |= get_64u(*data++) << (k % 64);
}

uint64_t p_waitvec(int f) {
    uno_check_narrow(uno_self, "p_waitvec", "p_waitvecWide");
    UNO_MEET_UNTYPED(p_waitvec, f != 0);
    uint64_t mask;
    assemble(pe, data, &mask, 1);
    uno_leave(pe);
    return mask;
}

void p_waitvecWide(uint64_t *mask, int f) {
    if (!mask)
        uno_fail(uno_self, "p_waitvecWide: the mask is a null pointer");
    UNO_MEET_UNTYPED(p_waitvec, f != 0);
    assemble(pe, data, mask, pe->job->words);
    uno_leave(pe);
}

int p_any(int f) {
    UNO_MEET_UNTYPED(p_any, f != 0);
    uint64_t any = 0;
    for (int i = 0; i < pe->group.size; i++)
        any |= get_64u(data[i]);
    uno_leave(pe);
    return (int)any;
}

int p_all(int f) {
    UNO_MEET_UNTYPED(p_all, f != 0);
    uint64_t all = 1;
    for (int i = 0; i < pe->group.size; i++)
        all &= get_64u(data[i]);
    uno_leave(pe);
    return (int)all;
}

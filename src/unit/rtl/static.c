/* The operations of units with one barrier and one NAND: TTL_PAPERS and USP8.
 *
 * The bits of all members, one member after the other, form one string, and each post carries as many of them
 * as there are lines. The member that owns a bit puts its complement, and the others put ones; so the NAND is
 * the bit itself. With 4 members and words of 4 bits and more that is a broadcast by each of them in turn,
 * and with one bit of each it is a vote. */

#include "rtl.h"

static uint32_t put_own(const struct uno_passage *p, const void *context, int i) {
    int bits = *(const int *)context;
    uint32_t lines = 0;
    for (int line = 0; line < UNO_RTL_WIDTH; line++) {
        int at = i * UNO_RTL_WIDTH + line, bit = at % bits;
        if (at / bits == p->pe->group.rank)
            lines |= (uint32_t)(p->in[bit / 64] >> bit % 64 & 1) << line;
    }
    return UNO_POST_NAND | (~lines & ((1 << UNO_RTL_WIDTH) - 1)) << UNO_POST_DATUM;
}

static void take_bits(struct uno_passage *p, void *context, int i, uint32_t result) {
    int bits = *(const int *)context;
    for (int line = 0; line < UNO_RTL_WIDTH; line++) {
        int at = i * UNO_RTL_WIDTH + line, bit = at % bits;
        if (at / bits < p->pe->group.size)
            p->rtl->word[at / bits][bit / 64] |= (uint64_t)(result >> line & 1) << bit % 64;
    }
}

static void all(struct uno_passage *p, int bits) {
    uno_rtl_exchange(p, uno_rtl_posts(bits * p->pe->group.size), put_own, take_bits, &bits);
}

const void *const *uno_static_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in,
                                   unsigned words) {
    static const struct uno_ways ways = {.all = all};
    return uno_rtl_meet(pe, signature, in, words, &ways);
}

/* The parts that the functions of papers.h share: the meeting, and the checks before it. The meeting yields
 * each member's value, from which a local function computes the result of this PE. */

#ifndef UNO_MEET_H
#define UNO_MEET_H

#include "combine.h"
#include "engine/fault.h"
#include "engine/group.h"
#include "ops.h"
#include "unit/unit.h"

/* Put one value of the given type. Declares `data`, each member's value in PE order, and `pe`. */
#define UNO_MEET(name, suffix, type, d, bits)                                                                \
    struct uno_pe *pe = uno_self;                                                                            \
    union {                                                                                                  \
        type value;                                                                                          \
        uint64_t word;                                                                                       \
    } in = {.word = 0};                                                                                      \
    in.value = put_##suffix(d, bits);                                                                        \
    const void *const *data = pe->unit->meet(pe, UNO_TYPED(UNO_##name, UNO_TYPE_##suffix, bits), &in.word, 1)

/* Put one word, in an operation without a type. Declares the same. */
#define UNO_MEET_UNTYPED(name, d)                                                                            \
    struct uno_pe *pe = uno_self;                                                                            \
    uint64_t in = (d);                                                                                       \
    const void *const *data = pe->unit->meet(pe, UNO_UNTYPED(UNO_##name), &in, 1)

/* End with an error unless 1 <= bits <= width. */
static inline void uno_check_bits(int bits, int width, const char *name) {
    if (UNO_UNLIKELY(bits < 1 || bits > width))
        uno_fail(uno_self, "%s: %d bits; this type has 1 to %d", name, bits, width);
}

/* End with an error if the group has members that a 64-bit mask cannot name. wide: the function that can name
 * them. */
static inline void uno_check_narrow(struct uno_pe *pe, const char *name, const char *wide) {
    for (int w = 1; pe->job && UNO_UNLIKELY(w < pe->job->words); w++)
        if (pe->group.mask[w])
            uno_fail(pe, "%s: the group has members beyond PE 63; use %s", name, wide);
}

#endif

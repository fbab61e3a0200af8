/* p_putget, p_gather. */

#include "meet.h"

static UNO_COLD _Noreturn void no_source(struct uno_pe *pe, int s, unsigned signature) {
    char op[UNO_SIGNATURE_TEXT], group[UNO_MASK_TEXT];
    uno_signature_text(signature, op);
    if (s < 0 || s >= pe->n)
        uno_fail(pe, "%s from PE %d: the PEs of this job are 0 to %d", op, s, pe->n - 1);
    uno_fail(pe, "%s from PE %d, which is not in the group %s", op, s,
             uno_mask_text(pe->group.mask, pe->job->words, group));
}

static inline void check_source(struct uno_pe *pe, int s, unsigned signature) {
    if (UNO_UNLIKELY(pe->job && (s < 0 || s >= pe->n || !uno_group_has(&pe->group, s))))
        no_source(pe, s, signature);
}

static inline void check_array(const void *p, unsigned signature) {
    char op[UNO_SIGNATURE_TEXT];
    if (UNO_UNLIKELY(!p))
        uno_fail(uno_self, "%s: the array is a null pointer", uno_signature_text(signature, op));
}

#define PATTERN(suffix, type, width)                                                                         \
    static inline type putget_##suffix(type d, int s, int bits) {                                            \
        check_source(uno_self, s, UNO_TYPED(UNO_p_putget, UNO_TYPE_##suffix, bits));                         \
        uno_self->wanted = s;                                                                                \
        UNO_MEET(p_putget, suffix, type, d, bits);                                                           \
        type r = get_##suffix(data[uno_group_rank(&pe->group, s)]);                                          \
        uno_leave(pe);                                                                                       \
        return r;                                                                                            \
    }                                                                                                        \
    static inline void gather_##suffix(type *p, type d, int bits) {                                          \
        check_array(p, UNO_TYPED(UNO_p_gather, UNO_TYPE_##suffix, bits));                                    \
        UNO_MEET(p_gather, suffix, type, d, bits);                                                           \
        UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words)                                                  \
            p[k] = get_##suffix(*data++);                                                                    \
        uno_leave(pe);                                                                                       \
    }                                                                                                        \
    type p_putget##suffix(type d, int s) {                                                                   \
        return putget_##suffix(d, s, width);                                                                 \
    }                                                                                                        \
    void p_gather##suffix(type *p, type d) {                                                                 \
        gather_##suffix(p, d, width);                                                                        \
    }
PAPERS_ALL(PATTERN)

#define PATTERN_BITS(suffix, type, width)                                                                    \
    type p_putgetBits##suffix(type d, int s, int bits) {                                                     \
        uno_check_bits(bits, width, "p_putgetBits" #suffix);                                                 \
        return putget_##suffix(d, s, bits);                                                                  \
    }                                                                                                        \
    void p_gatherBits##suffix(type *p, type d, int bits) {                                                   \
        uno_check_bits(bits, width, "p_gatherBits" #suffix);                                                 \
        gather_##suffix(p, d, bits);                                                                         \
    }
PAPERS_UNSIGNED(PATTERN_BITS)

/* p_bcastPut, p_bcastGet: both are one operation, in which exactly one member marks its word as put. */

#include "meet.h"

struct word_pair {
    uint64_t value, put;
};

static UNO_COLD _Noreturn void wrong_putters(struct uno_pe *pe, const void *const *data, unsigned signature) {
    uint64_t mask[UNO_WORDS] = {0};
    int words = pe->job->words, count = 0;
    UNO_FOR_EACH_PE (k, pe->group.mask, words) {
        struct word_pair pair;
        memcpy(&pair, *data++, sizeof pair);
        mask[k / 64] |= pair.put << (k % 64);
        count += (int)pair.put;
    }
    char op[UNO_SIGNATURE_TEXT], group[UNO_MASK_TEXT], putters[UNO_MASK_TEXT];
    uno_signature_text(signature, op);
    uno_mask_text(pe->group.mask, words, group);
    if (count == 0)
        uno_fail(pe, "%s: of the group %s, nobody put; one member must call p_bcastPut", op, group);
    uno_fail(pe, "%s: of the group %s, PEs %s all put; one member may", op, group,
             uno_mask_text(mask, words, putters));
}

static inline uint64_t exchange(unsigned signature, uint64_t value, bool put) {
    struct uno_pe *pe = uno_self;
    uint64_t in[2] = {value, put};
    const void *const *data = pe->unit->meet(pe, signature, in, 2);
    uint64_t result = 0, count = 0;
    for (int i = 0; i < pe->group.size; i++) {
        struct word_pair pair;
        memcpy(&pair, data[i], sizeof pair);
        result |= pair.put ? pair.value : 0;
        count += pair.put;
    }
    if (UNO_UNLIKELY(count != 1))
        wrong_putters(pe, data, signature);
    uno_leave(pe);
    return result;
}

#define BCAST(suffix, type, width)                                                                           \
    static inline void bcastPut_##suffix(type d, int bits) {                                                 \
        union {                                                                                              \
            type value;                                                                                      \
            uint64_t word;                                                                                   \
        } in = {.word = 0};                                                                                  \
        in.value = put_##suffix(d, bits);                                                                    \
        exchange(UNO_TYPED(UNO_p_bcast, UNO_TYPE_##suffix, bits), in.word, true);                            \
    }                                                                                                        \
    static inline type bcastGet_##suffix(int bits) {                                                         \
        uint64_t word = exchange(UNO_TYPED(UNO_p_bcast, UNO_TYPE_##suffix, bits), 0, false);                 \
        return get_##suffix(&word);                                                                          \
    }                                                                                                        \
    void p_bcastPut##suffix(type d) {                                                                        \
        bcastPut_##suffix(d, width);                                                                         \
    }                                                                                                        \
    type p_bcastGet##suffix(void) {                                                                          \
        return bcastGet_##suffix(width);                                                                     \
    }
PAPERS_ALL(BCAST)

#define BCAST_BITS(suffix, type, width)                                                                      \
    void p_bcastPutBits##suffix(type d, int bits) {                                                          \
        uno_check_bits(bits, width, "p_bcastPutBits" #suffix);                                               \
        bcastPut_##suffix(d, bits);                                                                          \
    }                                                                                                        \
    type p_bcastGetBits##suffix(int bits) {                                                                  \
        uno_check_bits(bits, width, "p_bcastGetBits" #suffix);                                               \
        return bcastGet_##suffix(bits);                                                                      \
    }
PAPERS_UNSIGNED(BCAST_BITS)

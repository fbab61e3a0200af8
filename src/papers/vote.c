/* p_vote, p_match: which members vote for this PE, or put what this PE put. */

#include "meet.h"

/* Set mask, of `words` words, to the members for whose value the condition holds; or count them. Both without
 * branches, which votes would have predicted wrongly. */
#define SELECT(mask, words, suffix, type, condition)                                                         \
    for (int w = 0; w < (words); w++)                                                                        \
        (mask)[w] = 0;                                                                                       \
    UNO_FOR_EACH_PE (k, pe->group.mask, words) {                                                             \
        type value = get_##suffix(*data++);                                                                  \
        (mask)[k / 64] |= (uint64_t)(condition) << (k % 64);                                                 \
    }

#define COUNT(suffix, type, condition)                                                                       \
    int count = 0;                                                                                           \
    for (int i = 0; i < pe->group.size; i++) {                                                               \
        type value = get_##suffix(data[i]);                                                                  \
        count += (condition);                                                                                \
    }

static uint64_t *checked(uint64_t *mask, const char *name) {
    if (UNO_UNLIKELY(!mask))
        uno_fail(uno_self, "%s: the mask is a null pointer", name);
    return mask;
}

static inline void check_vote(struct uno_pe *pe, int v, const char *name) {
    if (UNO_UNLIKELY(pe->job && (v < 0 || v >= pe->n)))
        uno_fail(pe, "%s for PE %d: the PEs of this job are 0 to %d", name, v, pe->n - 1);
}

static inline void vote(uint64_t *mask, int v, bool wide) {
    check_vote(uno_self, v, "p_vote");
    UNO_MEET_UNTYPED(p_vote, (uint64_t)v);
    SELECT(mask, wide ? pe->job->words : 1, 64u, uint64_t, value == (uint64_t)pe->me)
    uno_leave(pe);
}

uint64_t p_vote(int v) {
    uint64_t mask;
    uno_check_narrow(uno_self, "p_vote", "p_voteWide");
    vote(&mask, v, false);
    return mask;
}

void p_voteWide(uint64_t *mask, int v) {
    vote(checked(mask, "p_voteWide"), v, true);
}

int p_voteCount(int v) {
    check_vote(uno_self, v, "p_voteCount");
    UNO_MEET_UNTYPED(p_voteCount, (uint64_t)v);
    COUNT(64u, uint64_t, value == (uint64_t)pe->me)
    uno_leave(pe);
    return count;
}

#define MATCH(suffix, type, width)                                                                           \
    static inline void match_##suffix(uint64_t *mask, type v, int bits, bool wide) {                         \
        UNO_MEET(p_match, suffix, type, v, bits);                                                            \
        SELECT(mask, wide ? pe->job->words : 1, suffix, type, same_##suffix(value, in.value))                \
        uno_leave(pe);                                                                                       \
    }                                                                                                        \
    static inline int matchCount_##suffix(type v, int bits) {                                                \
        UNO_MEET(p_matchCount, suffix, type, v, bits);                                                       \
        COUNT(suffix, type, same_##suffix(value, in.value))                                                  \
        uno_leave(pe);                                                                                       \
        return count;                                                                                        \
    }                                                                                                        \
    uint64_t p_match##suffix(type v) {                                                                       \
        uint64_t mask;                                                                                       \
        uno_check_narrow(uno_self, "p_match" #suffix, "p_matchWide" #suffix);                                \
        match_##suffix(&mask, v, width, false);                                                              \
        return mask;                                                                                         \
    }                                                                                                        \
    void p_matchWide##suffix(uint64_t *mask, type v) {                                                       \
        match_##suffix(checked(mask, "p_matchWide" #suffix), v, width, true);                                \
    }                                                                                                        \
    int p_matchCount##suffix(type v) {                                                                       \
        return matchCount_##suffix(v, width);                                                                \
    }
PAPERS_ALL(MATCH)

#define MATCH_BITS(suffix, type, width)                                                                      \
    uint64_t p_matchBits##suffix(type v, int bits) {                                                         \
        uint64_t mask;                                                                                       \
        uno_check_bits(bits, width, "p_matchBits" #suffix);                                                  \
        uno_check_narrow(uno_self, "p_matchBits" #suffix, "p_matchWideBits" #suffix);                        \
        match_##suffix(&mask, v, bits, false);                                                               \
        return mask;                                                                                         \
    }                                                                                                        \
    void p_matchWideBits##suffix(uint64_t *mask, type v, int bits) {                                         \
        uno_check_bits(bits, width, "p_matchWideBits" #suffix);                                              \
        match_##suffix(checked(mask, "p_matchWideBits" #suffix), v, bits, true);                             \
    }                                                                                                        \
    int p_matchCountBits##suffix(type v, int bits) {                                                         \
        uno_check_bits(bits, width, "p_matchCountBits" #suffix);                                             \
        return matchCount_##suffix(v, bits);                                                                 \
    }
PAPERS_UNSIGNED(MATCH_BITS)

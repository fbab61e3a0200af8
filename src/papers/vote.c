/* p_vote, p_match: which members vote for this PE, or put what this PE put. */

#include "local.h"

/* The mask of `words` words of the members for which the condition on `value` holds, and their count. */
#define SELECT(suffix, type, condition)                                                                      \
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words) {                                                    \
        type value = get_##suffix(*data++);                                                                  \
        if (condition) {                                                                                     \
            if (mask)                                                                                        \
                mask[k / 64] |= (uint64_t)1 << (k % 64);                                                     \
            count++;                                                                                         \
        }                                                                                                    \
    }

static void clear(uint64_t *mask, const struct uno_pe *pe) {
    for (int w = 0; mask && w < pe->job->words; w++)
        mask[w] = 0;
}

/* A plain mask is written as a wide one, and all but its first word is 0. */
static uint64_t *checked(uint64_t *mask, const char *name) {
    if (UNO_UNLIKELY(!mask))
        uno_fail(uno_self, "%s: the mask is a null pointer", name);
    return mask;
}

static inline void check_vote(struct uno_pe *pe, int v, const char *name) {
    if (UNO_UNLIKELY(pe->job && (v < 0 || v >= pe->n)))
        uno_fail(pe, "%s for PE %d: the PEs of this job are 0 to %d", name, v, pe->n - 1);
}

static int vote(uint64_t *mask, int v) {
    check_vote(uno_self, v, "p_vote");
    UNO_MEET_UNTYPED(VOTE, (uint64_t)v);
    int count = 0;
    clear(mask, pe);
    SELECT(64u, uint64_t, value == (uint64_t)pe->me)
    uno_leave(pe);
    return count;
}

uint64_t p_vote(int v) {
    uint64_t mask[UNO_WORDS];
    uno_check_narrow(uno_self, "p_vote", "p_voteWide");
    vote(mask, v);
    return mask[0];
}

void p_voteWide(uint64_t *mask, int v) {
    vote(checked(mask, "p_voteWide"), v);
}

int p_voteCount(int v) {
    check_vote(uno_self, v, "p_voteCount");
    UNO_MEET_UNTYPED(VOTE_COUNT, (uint64_t)v);
    int count = 0;
    uint64_t *mask = NULL;
    SELECT(64u, uint64_t, value == (uint64_t)pe->me)
    uno_leave(pe);
    return count;
}

#define MATCH(suffix, type, width)                                                                           \
    static inline void match_##suffix(uint64_t *mask, type v, int bits) {                                    \
        UNO_MEET(MATCH, suffix, type, v, bits);                                                              \
        int count = 0;                                                                                       \
        clear(mask, pe);                                                                                     \
        SELECT(suffix, type, same_##suffix(value, in.value))                                                 \
        (void)count;                                                                                         \
        uno_leave(pe);                                                                                       \
    }                                                                                                        \
    static inline int matchCount_##suffix(type v, int bits) {                                                \
        UNO_MEET(MATCH_COUNT, suffix, type, v, bits);                                                        \
        int count = 0;                                                                                       \
        uint64_t *mask = NULL;                                                                               \
        SELECT(suffix, type, same_##suffix(value, in.value))                                                 \
        uno_leave(pe);                                                                                       \
        return count;                                                                                        \
    }                                                                                                        \
    uint64_t p_match##suffix(type v) {                                                                       \
        uint64_t mask[UNO_WORDS];                                                                            \
        uno_check_narrow(uno_self, "p_match" #suffix, "p_matchWide" #suffix);                                \
        match_##suffix(mask, v, width);                                                                      \
        return mask[0];                                                                                      \
    }                                                                                                        \
    void p_matchWide##suffix(uint64_t *mask, type v) {                                                       \
        match_##suffix(checked(mask, "p_matchWide" #suffix), v, width);                                      \
    }                                                                                                        \
    int p_matchCount##suffix(type v) {                                                                       \
        return matchCount_##suffix(v, width);                                                                \
    }
PAPERS_ALL(MATCH)

#define MATCH_BITS(suffix, type, width)                                                                      \
    uint64_t p_matchBits##suffix(type v, int bits) {                                                         \
        uint64_t mask[UNO_WORDS];                                                                            \
        uno_check_bits(bits, width, "p_matchBits" #suffix);                                                  \
        uno_check_narrow(uno_self, "p_matchBits" #suffix, "p_matchWideBits" #suffix);                        \
        match_##suffix(mask, v, bits);                                                                       \
        return mask[0];                                                                                      \
    }                                                                                                        \
    void p_matchWideBits##suffix(uint64_t *mask, type v, int bits) {                                         \
        uno_check_bits(bits, width, "p_matchWideBits" #suffix);                                              \
        match_##suffix(checked(mask, "p_matchWideBits" #suffix), v, bits);                                   \
    }                                                                                                        \
    int p_matchCountBits##suffix(type v, int bits) {                                                         \
        uno_check_bits(bits, width, "p_matchCountBits" #suffix);                                             \
        return matchCount_##suffix(v, bits);                                                                 \
    }
PAPERS_UNSIGNED(MATCH_BITS)

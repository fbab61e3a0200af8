#include "group.h"

#include <string.h>

#include "fault.h"

static uint64_t hash(const uint64_t *mask, int words) {
    uint64_t h = 0;
    for (int w = 0; w < words; w++) {
        /* the finalizer of splitmix64, chained */
        h = (h ^ mask[w]) + UINT64_C(0x9e3779b97f4a7c15);
        h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
        h ^= h >> 31;
    }
    return h;
}

static void check(struct uno_pe *pe, const uint64_t *mask, const char *caller) {
    char text[UNO_MASK_TEXT];
    int n = pe->n, words = pe->job->words;
    UNO_FOR_EACH_PE (k, mask, words)
        if (k >= n)
            uno_fail(pe, "%s: the mask %s names PE %d, and the PEs of this job are 0 to %d", caller,
                     uno_mask_text(mask, words, text), k, n - 1);
    if (!(mask[pe->me / 64] >> (pe->me % 64) & 1))
        uno_fail(pe, "%s: the mask %s does not name PE %d, which calls", caller,
                 uno_mask_text(mask, words, text), pe->me);
}

void uno_group_of(const uint64_t *mask, int words, int me, struct uno_group *group) {
    int size = 0, first = -1;
    for (int w = 0; w < words; w++) {
        group->mask[w] = mask[w];
        size += __builtin_popcountll(mask[w]);
        if (first < 0 && mask[w])
            first = w * 64 + __builtin_ctzll(mask[w]);
    }
    group->id = words == 1 ? mask[0] : hash(mask, words);
    group->size = size;
    group->first = first;
    group->rank = uno_group_rank(group, me);
    group->other = -1;
    if (size == 2)
        UNO_FOR_EACH_PE (k, mask, words)
            if (k != me)
                group->other = k;
}

static void adopt(struct uno_pe *pe, const uint64_t *mask, int words) {
    uno_group_of(mask, words, pe->me, &pe->group);
    pe->run = 0;
}

void uno_group_adopt(struct uno_pe *pe, const struct uno_group *group) {
    int words = pe->job->words, w = 0;
    while (w < words && group->mask[w] == pe->group.mask[w])
        w++;
    if (w == words)
        return;
    memcpy(pe->group.mask, group->mask, (size_t)words * sizeof *group->mask);
    pe->group.id = group->id;
    pe->group.size = group->size;
    pe->group.rank = group->rank;
    pe->group.first = group->first;
    pe->group.other = group->other;
    pe->run = 0;
}

void uno_group_set(struct uno_pe *pe, const uint64_t *mask, const char *caller) {
    int words = pe->job->words, w = 0;
    while (w < words && mask[w] == pe->group.mask[w])
        w++;
    if (w == words)
        return;
    if (UNO_UNLIKELY(!(mask[pe->me / 64] >> (pe->me % 64) & 1) ||
                     (pe->n % 64 && mask[words - 1] >> (pe->n % 64))))
        check(pe, mask, caller);
    adopt(pe, mask, words);
}

void uno_group_all(struct uno_pe *pe) {
    uint64_t mask[UNO_WORDS] = {0};
    for (int k = 0; k < pe->n; k++)
        mask[k / 64] |= (uint64_t)1 << (k % 64);
    adopt(pe, mask, pe->job->words);
}

/* Operations of all PEs together, by hand. Words that PE 0 broadcasts go along a binomial tree, in which PE k
 * is below the PE whose number is k without its lowest bit; if they are many, from each PE to the next one,
 * which sends the first packets on while others are still on their way. */

#include <string.h>

#include "talk.h"
#include "unit/mesh/inbox.h"

enum {
    PASSED_ON =
        16 * UNO_PACKET_MOST, /* words at a time; with half as many a product of 128 rows takes longer */
    MANY = 6 * PASSED_ON      /* from so many words on 15 steps of PASSED_ON take less than 4 of all words */
};

/* The lowest bit of a PE's number; of PE 0 one that is above all numbers. */
static int lowest_bit(int me, int n) {
    int bit = 1;
    while (bit < n && !(me & bit))
        bit *= 2;
    return bit;
}

static void broadcast_by_tree(void *data, int words) {
    int me = talk_me(), n = talk_pes(), bit = lowest_bit(me, n);
    if (me)
        talk_receive(me - bit, data, words);
    while (bit /= 2)
        if (me + bit < n)
            talk_send(me + bit, data, words);
}

void talk_broadcast(void *data, int words) {
    int me = talk_me(), n = talk_pes();
    if (words < MANY) {
        broadcast_by_tree(data, words);
        return;
    }
    for (uint32_t *word = data; words > 0; word += PASSED_ON, words -= PASSED_ON) {
        int some = words < PASSED_ON ? words : PASSED_ON;
        if (me)
            talk_receive(me - 1, word, some);
        if (me + 1 < n)
            talk_send(me + 1, word, some);
    }
}

void talk_scatter(const void *all, void *mine, int share) {
    if (talk_me()) {
        talk_receive(0, mine, share);
        return;
    }
    for (int k = 1; k < talk_pes(); k++)
        talk_send(k, (const uint32_t *)all + (size_t)k * (size_t)share, share);
    memcpy(mine, all, (size_t)share * sizeof(uint32_t));
}

void talk_gather(const void *mine, void *all, int share) {
    if (talk_me()) {
        talk_send(0, mine, share);
        return;
    }
    memcpy(all, mine, (size_t)share * sizeof(uint32_t));
    for (int k = 1; k < talk_pes(); k++)
        talk_receive(k, (uint32_t *)all + (size_t)k * (size_t)share, share);
}

double talk_sum(double mine) {
    int me = talk_me(), n = talk_pes(), end = lowest_bit(me, n);
    for (int bit = 1; bit < end && me + bit < n; bit *= 2) {
        double theirs;
        talk_receive(me + bit, &theirs, sizeof theirs / sizeof(uint32_t));
        mine += theirs;
    }
    if (me)
        talk_send(me - end, &mine, sizeof mine / sizeof(uint32_t));
    return mine;
}

/* Contention scheduling. In every phase each PE has a letter for some PE, and no PE knows how many another
 * one gets. A PE can take one letter at a time, so p_vote comes first: it tells each PE the PEs that write to
 * it, and p_voteCount their number. From then on every PE knows the schedule: in round r, a PE gets the
 * letter of its r-th writer. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>

enum { PHASES = 4, WORDS = 1024 / 64 }; /* WORDS of a mask for any number of PEs */

/* The next PE after k in a mask, or -1. */
static int next(const uint64_t *mask, int k) {
    while (++k < p_nproc())
        if (mask[k / 64] >> (k % 64) & 1)
            return k;
    return -1;
}

int main(void) {
    p_init();
    int me = p_iproc(), n = p_nproc(), failures = 0, rounds_in_all = 0;
    uint64_t sent = 0, received = 0;
    srand((unsigned)me + 1);
    for (int phase = 0; phase < PHASES; phase++) {
        int target = rand() / 7 % n;
        uint64_t letter = (uint64_t)phase << 40 | (uint64_t)me << 20 | (uint64_t)target;
        uint64_t writers[WORDS];
        p_voteWide(writers, target);
        int rounds = p_reduceMax32(p_voteCount(target)), writer = next(writers, -1);

        for (int round = 0; round < rounds; round++) {
            uint64_t got = p_putget64u(letter, writer >= 0 ? writer : me);
            if (writer < 0) /* all have been heard: this was a copy of its own letter */
                continue;
            failures += got != ((uint64_t)phase << 40 | (uint64_t)writer << 20 | (uint64_t)me);
            received += got * got;
            writer = next(writers, writer);
        }
        failures += writer >= 0;
        sent += letter * letter;
        if (me == 0)
            printf("phase %d: %d letters in %d rounds\n", phase, n, rounds);
        rounds_in_all += rounds;
    }
    /* Each letter came to its target (above), and all came once: the sums of squares show that. */
    failures = p_reduceAdd32(failures) + (p_reduceAdd64u(sent) != p_reduceAdd64u(received));
    if (me == 0)
        printf("%d letters, %d rounds, %d failures\n", PHASES * n, rounds_in_all, failures);
    return p_exit(failures > 0);
}

/* latency WORDS ROUNDS: PE 0 and PE 1 send each other messages of so many words in turn, so many there and
 * back. Each round has other data, which are checked. */

#include <stdio.h>
#include <stdlib.h>

#include "talk.h"

enum { MOST = 100000 };

int main(int argc, char **argv) {
    static uint32_t words[MOST];
    talk_open(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 0, rounds = argc > 2 ? atoi(argv[2]) : 0, me = talk_me();
    if (n < 1 || n > MOST || rounds < 1 || talk_pes() < 2) {
        fprintf(stderr, "usage: latency WORDS ROUNDS, with 2 PEs or more, and up to %d words\n", MOST);
        return 2;
    }
    for (int round = 0; me < 2 && round < rounds; round++) {
        if (me == 0)
            words[0] = words[n - 1] = (uint32_t)round;
        else
            talk_receive(0, words, n);
        talk_send(1 - me, words, n);
        if (me == 0) {
            words[0] = words[n - 1] = 0;
            talk_receive(1, words, n);
        }
        if (words[0] != (uint32_t)round || words[n - 1] != (uint32_t)round) {
            fprintf(stderr, "latency: round %d has other data\n", round);
            return 1;
        }
    }
    talk_close();
    return 0;
}

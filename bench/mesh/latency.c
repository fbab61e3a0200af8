#include <stdio.h>
#include <stdlib.h>

#include "talk.h"
#include "trials.h"

bool trial_latency(int words, int times) {
    uint32_t *word = malloc((size_t)words * sizeof *word);
    bool right = word && talk_pes() >= 2;
    int me = talk_me();
    for (uint32_t i = 0; me < 2 && right && i < (uint32_t)times; i++) {
        if (me == 0)
            word[0] = word[words - 1] = i;
        else
            talk_receive(0, word, words);
        talk_send(1 - me, word, words);
        if (me == 0) {
            word[0] = word[words - 1] = ~i;
            talk_receive(1, word, words);
        }
        right = word[0] == i && word[words - 1] == i;
    }
    free(word);
    return right;
}

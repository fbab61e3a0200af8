#include "answers.h"

#include "queue.h"

void uno_channel_expect_answer(struct uno_channel *channel, int k, uint64_t word,
                               struct uno_receive *answer) {
    struct uno_link *link = uno_link_of(channel, k);
    struct uno_receive_chain *chain = &link->awaiting;
    *answer = (struct uno_receive){.envelope = {uno_word_context(word), k, uno_word_tag(word)},
                                   .before = chain->last,
                                   .order = ++link->asked};
    *(chain->last ? &chain->last->next : &chain->first) = answer;
    chain->last = answer;
}

void uno_channel_send_answer(struct uno_channel *channel, int k, uint64_t number) {
    if (k == channel->pe->me) {
        uno_channel_take_answer(channel, k, number);
        return;
    }
    if (!channel->link[k].known)
        uno_channel_become_known(channel, k);
    uno_channel_put_line(channel, k, &(struct uno_put){.word = number, .kind = UNO_KIND_ANSWER});
}

void uno_channel_take_answer(struct uno_channel *channel, int k, uint64_t number) {
    struct uno_receive_chain *chain = &channel->link[k].awaiting;
    struct uno_receive *answer = chain->first;
    while (answer->order != number) /* they mostly come in order */
        answer = answer->next;
    *(answer->before ? &answer->before->next : &chain->first) = answer->next;
    *(answer->next ? &answer->next->before : &chain->last) = answer->before;
    answer->done = true;
}

void uno_take_answer(struct uno_channel *channel, int k, uint64_t header) {
    (void)header;
    uno_channel_take_answer(channel, k, uno_link_take_word(&channel->link[k]));
}

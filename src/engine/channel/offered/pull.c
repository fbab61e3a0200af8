#include "pull.h"

#include <string.h>

#include "engine/channel/link/answers.h"
#include "engine/channel/link/coming.h"
#include "engine/channel/link/queue.h"
#include "engine/reach.h"

static void end(struct uno_channel *channel, int k, struct uno_receive *receive, size_t bytes,
                uint64_t number) {
    uno_receive_complete(receive, &receive->envelope, bytes);
    uno_channel_answer(channel, k, number);
}

void uno_pull_request(struct uno_channel *channel, int k, struct uno_receive *receive, uint64_t number) {
    struct uno_receive_chain *chain = &channel->link[k].pulled;
    receive->order = number;
    receive->bytes = 0;
    receive->next = NULL;
    receive->before = chain->last;
    *(chain->last ? &chain->last->next : &chain->first) = receive;
    chain->last = receive;
    if (!channel->link[k].known)
        uno_channel_become_known(channel, k);
    uno_channel_put_line(channel, k, &(struct uno_put){.word = number, .kind = UNO_KIND_PULL});
}

void uno_pull(struct uno_channel *channel, int k, struct uno_receive *receive, uint64_t at, size_t bytes,
              uint64_t number) {
    size_t count = uno_lesser(bytes, receive->room);
    if (!count || uno_reach_read(channel->pe, k, at, receive->data, count))
        end(channel, k, receive, bytes, number);
    else
        uno_pull_request(channel, k, receive, number);
}

void uno_pull_hand_on(struct uno_channel *channel, int k, const struct uno_receive *from,
                      struct uno_receive *receive) {
    struct uno_receive_chain *chain = &channel->link[k].pulled;
    if (from->bytes)
        memcpy(receive->data, from->data, uno_lesser(from->bytes, receive->room));
    receive->bytes = from->bytes;
    receive->order = from->order;
    receive->next = from->next;
    receive->before = from->before;
    *(from->before ? &from->before->next : &chain->first) = receive;
    *(from->next ? &from->next->before : &chain->last) = receive;
}

void uno_take_pulled(struct uno_channel *channel, int k, uint64_t header) {
    struct uno_link *link = &channel->link[k];
    struct uno_receive_chain *chain = &link->pulled;
    struct uno_receive *receive = chain->first;
    struct uno_piece piece = uno_link_piece(link);
    (void)header;
    uno_coming_copy(channel, k, &piece, receive->data, receive->room);
    uno_ring_take(&link->in, uno_ring_lines(sizeof piece));
    receive->bytes = piece.to + piece.bytes;
    if (receive->bytes < piece.total)
        return;
    chain->first = receive->next;
    *(receive->next ? &receive->next->before : &chain->last) = NULL;
    end(channel, k, receive, piece.total, receive->order);
}

void uno_take_pull(struct uno_channel *channel, int k, uint64_t header) {
    const struct uno_receive *answer = channel->link[k].awaiting.first;
    uint64_t number = uno_link_take_word(&channel->link[k]);
    (void)header;
    while (answer->order != number)
        answer = answer->next;
    struct uno_sending s = {.channel = channel,
                            .k = k,
                            .word = uno_channel_word(answer->envelope.context, answer->envelope.tag),
                            .data = answer->data,
                            .bytes = answer->bytes};
    uno_channel_queue_data(&s, UNO_KIND_PULLED, UNO_KIND_PULLED, NULL);
}

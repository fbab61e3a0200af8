#include "way.h"

#include <string.h>

const char *uno_far_keep(struct uno_far_way *way, uint64_t i, const char *data, size_t bytes, void *packet,
                         bool *stays) {
    struct uno_channel *channel = way->channel;
    size_t lines = way->link->in.mask + 1;
    if (!way->packet) {
        way->packet = uno_channel_memory(channel, calloc(lines, sizeof *way->packet));
        way->copy = uno_channel_memory(channel, calloc(lines, sizeof *way->copy));
    }
    *stays = channel->far->kept < UNO_FAR_KEPT;
    if (*stays) {
        channel->far->kept++;
        way->packet[i] = packet;
        return data;
    }
    way->copy[i] = uno_channel_memory(channel, malloc(bytes));
    return memcpy(way->copy[i], data, bytes);
}

void uno_far_note_lines(struct uno_channel *channel, int k) {
    uno_bit_set(channel->unread, k);
    uno_atomic64 *writers = &channel->box->writer[k / 64];
    if (!(uno_load64_relaxed(writers) >> k % 64 & 1))
        uno_or64_seq_cst(writers, (uint64_t)1 << k % 64);
}

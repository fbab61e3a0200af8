/* The channel of a model: one buffer for each PE, messages of which each step of a sequence has its own data,
 * and the functions that the channel's files call, but for the memory that they are in. Messages that are
 * received in the order in which they are sent have the same tag: so their order is checked, too. Included
 * after engine_model.h. */

#ifndef CHANNEL_MODEL_H
#define CHANNEL_MODEL_H

extern "C" {
#include "engine/channel/channel.h"
#include "engine/channel/link/foreign.h"
#include "engine/channel/link/notes.h"
#include "engine/reach.h"
#include "engine/signature.h"
}

enum { BUFFER = 1 << UNO_PIECE_LEAST, SHORT = 8, LONG = UNO_RING_BYTES + 8 };

static uint64_t datum(int step, size_t word) {
    return (uint64_t)(step + 1) * 100 + word;
}

/* The message of a step. */
struct model_message {
    int step;
    bool late; /* it is received after all steps */
    size_t bytes;
};

/* Return a PE's channel, which has one buffer, and a pool for one short message, or for the buffer. */
static uno_channel *open_channel(uno_pe *pe) {
    static char buffer[PES][BUFFER];
    static void *piece[PES];
    uno_channel *channel = uno_channel_of(pe);
    piece[pe->me] = buffer[pe->me];
    channel->heap.piece[0].data = &piece[pe->me];
    channel->heap.piece[0].count = channel->heap.piece[0].room = 1;
    channel->pool = sizeof(uno_queued) + SHORT;
    return channel;
}

static void send_message(uno_channel *channel, int reader, const model_message &message) {
    uint64_t data[LONG / 8];
    for (size_t i = 0; i < message.bytes / 8; i++)
        data[i] = datum(message.step, i);
    uno_channel_send(channel, reader, uno_channel_word(0, message.late), data, message.bytes,
                     UNO_SIGNATURE(UNO_OPS_MESSAGE, 0));
}

/* A late message may be received from whoever has sent one. */
static void receive_message(uno_channel *channel, int writer, const model_message &message) {
    uint64_t data[LONG / 8];
    int source = message.late && message.step % 2 ? UNO_WILD : writer;
    uno_receive receive = {.envelope = {0, source, message.late}, .data = data, .room = sizeof data};
    uno_channel_receive(channel, &receive, UNO_SIGNATURE(UNO_OPS_MESSAGE, 1));
    RL_ASSERT(receive.bytes == message.bytes);
    for (size_t i = 0; i < message.bytes / 8; i++)
        RL_ASSERT(data[i] == datum(message.step, i));
}

/* ---- what these files call --------------------------------------------------------------------------- */

void uno_mail_unmap(const uno_mail *) {}

uno_windows uno_windows_of(const uno_pe *pe, const uno_mail *) {
    return {.pe = pe, .near = {.bytes = SIZE_MAX}};
}

char *uno_windows_grow(void *, size_t, size_t *) {
    return NULL;
}

void uno_windows_shrink(void *, char *, size_t) {}

void uno_windows_end(uno_windows *) {}

uint64_t uno_windows_find(uno_windows *, const char *) {
    return UNO_NOWHERE;
}

void uno_channel_let_go(uno_channel *, int) {}

char *uno_channel_reach_anew(uno_channel *, int, uint64_t, size_t) {
    return NULL;
}

void uno_spans_drop(uno_spans *) {}

/* A heap has no more than it begins with. */
bool uno_pieces_cut(uno_heap *, unsigned) {
    return false;
}

bool uno_pieces_grow(uno_heap *, unsigned) {
    return false;
}

void uno_heap_free(uno_heap *) {}

int uno_channel_note(uno_channel *, uno_note_kind, int, uint32_t, int, size_t) {
    return UNO_NOTE_NONE;
}

void uno_channel_forget(uno_channel *, uno_note_kind, int) {}

bool uno_reach_allowed(uno_pe *, int) {
    return false;
}

bool uno_reach_write(uno_pe *, int, uint64_t, const void *, size_t) {
    return false;
}

bool uno_reach_read(uno_pe *, int, uint64_t, void *, size_t) {
    return false;
}

#endif

/* nwrite, nread, ntest, nprobe, npoll, npool. */

#include "local.h"

void nwrite(const void *data, size_t bytes, int node, int type) {
    struct uno_channel *channel = uno_vertex("nwrite");
    int k = uno_vertex_pe(channel, node, "nwrite");
    uno_vertex_check_data(channel, data, bytes, "nwrite");
    if (UNO_UNLIKELY(type < 0))
        uno_fail(channel->pe, "nwrite: type %d; types are numbers from 0", type);
    uno_channel_send(channel, k, uno_channel_word(channel->view.context, type), data, bytes,
                     UNO_SIGNATURE_NWRITE);
}

/* Return the envelope that nread, ntest and nprobe ask for. */
static inline struct uno_envelope asked(struct uno_channel *channel, const int *node, const int *type,
                                        const char *name) {
    struct uno_envelope envelope = {channel->view.context, UNO_WILD, UNO_WILD};
    if (node && *node != NANY)
        envelope.source = uno_vertex_pe(channel, *node, name);
    if (type)
        envelope.tag = *type;
    if (UNO_UNLIKELY(envelope.tag < NANY))
        uno_fail(channel->pe, "%s: type %d; types are numbers from 0, and NANY", name, *type);
    return envelope;
}

static inline void tell(struct uno_channel *channel, const struct uno_envelope *envelope, int *node,
                        int *type) {
    if (node)
        *node = envelope->source - channel->view.first;
    if (type)
        *type = envelope->tag;
}

static UNO_COLD _Noreturn void too_long(struct uno_channel *channel, const struct uno_receive *receive) {
    uno_fail(
        channel->pe, "nread: the message of type %d from node %d has %zu bytes, and there is room for %zu",
        receive->envelope.tag, receive->envelope.source - channel->view.first, receive->bytes, receive->room);
}

ssize_t nread(void *data, size_t room, int *node, int *type) {
    struct uno_channel *channel = uno_vertex("nread");
    struct uno_receive receive = {
        .envelope = asked(channel, node, type, "nread"), .data = data, .room = room};
    uno_vertex_check_data(channel, data, room, "nread");
    uno_channel_receive(channel, &receive, UNO_SIGNATURE_NREAD);
    if (UNO_UNLIKELY(receive.bytes > room))
        too_long(channel, &receive);
    tell(channel, &receive.envelope, node, type);
    return (ssize_t)receive.bytes;
}

ssize_t ntest(int *node, int *type) {
    struct uno_channel *channel = uno_vertex("ntest");
    struct uno_envelope envelope = asked(channel, node, type, "ntest");
    const struct uno_message *message = uno_channel_probe(channel, &envelope);
    if (!message) {
        uno_channel_let_time_pass(channel);
        return -1;
    }
    tell(channel, &message->envelope, node, type);
    return (ssize_t)message->bytes;
}

ssize_t nprobe(int *node, int *type) {
    struct uno_channel *channel = uno_vertex("nprobe");
    struct uno_envelope envelope = asked(channel, node, type, "nprobe");
    const struct uno_message *message = uno_channel_await_message(channel, &envelope, UNO_SIGNATURE_NPROBE);
    tell(channel, &message->envelope, node, type);
    return (ssize_t)message->bytes;
}

void npoll(void) {
    struct uno_channel *channel = uno_vertex("npoll");
    if (!uno_channel_progress(channel))
        uno_channel_let_time_pass(channel);
}

void npool(size_t bytes) {
    uno_vertex("npool")->pool = bytes;
}

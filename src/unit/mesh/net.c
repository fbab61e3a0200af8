#include "net.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/far/far.h"
#include "engine/fault.h"
#include "commands.h"

enum { WORD = sizeof(uint32_t), PACKET = UNO_PACKET_MOST * WORD }; /* bytes; PACKET: of a full one */

/* A message that has come, or of which packets have; or its memory, for the next one. */
struct message {
    struct message *next;
    size_t bytes, room;
    char data[] __attribute__((aligned(8)));
};

/* Memory for messages that is kept: so many messages, of at most so many bytes, and the least room that one
 * is made with. */
enum { SPARES = 8, SPARE_MOST = 128 * 1024, ROOM_LEAST = 256 };

struct uno_net {
    struct uno_at_tile tile;
    struct message *ready; /* the next one that `poll` tells, or NULL */
    struct message *spare; /* memory for messages, */
    int spares;
    void **done;              /* the contexts of sends that are over, and not told */
    size_t dones, room;       /* their number, and how many have room */
    struct message *coming[]; /* from each PE */
};

/* ---- messages in --------------------------------------------------------------------------------------- */

enum { FEW = 48 }; /* bytes that are copied without a call */

/* Copy a few bytes and those of a full packet in line, others by a call. */
static inline void copy(char *to, const char *from, size_t bytes) {
    if (bytes <= FEW)
        uno_copy_short(to, from, bytes);
    else if (bytes == PACKET)
        memcpy(to, from, PACKET);
    else
        memcpy(to, from, bytes);
}

/* Return the message, or if it is NULL a new one, with room for so many further bytes. */
static UNO_COLD struct message *grow(struct uno_net *net, struct message *m, size_t bytes) {
    size_t has = m ? m->bytes : 0, room = has + bytes > ROOM_LEAST ? 2 * (has + bytes) : ROOM_LEAST;
    m = realloc(m, sizeof *m + room);
    if (!m)
        uno_fail(net->tile.pe, "out of memory for a message of %zu bytes or more", has + bytes);
    m->bytes = has;
    m->room = room;
    return m;
}

/* Return a message with room for a packet. */
static inline struct message *new_message(struct uno_net *net) {
    struct message *m = net->spare;
    if (UNO_UNLIKELY(!m))
        return grow(net, NULL, PACKET);
    net->spare = m->next;
    net->spares--;
    m->bytes = 0;
    return m;
}

/* Take in the packet that begins at a place of the inbox, and store the message if it is complete with it.
 * Returns the packet's words. */
static inline unsigned take_packet(struct uno_net *net, size_t place, struct message **complete) {
    const uint32_t *word = net->tile.inbox->word;
    uint32_t header = word[place++];
    unsigned words = uno_packet_words(header), behind = (unsigned)(UNO_INBOX_WORDS - place);
    struct message **coming = &net->coming[uno_packet_from(net->tile.columns, header)];
    struct message *m = *coming ? *coming : new_message(net);
    size_t bytes = words * (size_t)WORD;
    if (UNO_UNLIKELY(m->room - m->bytes < bytes))
        m = grow(net, m, bytes);
    char *to = m->data + m->bytes;
    m->bytes += bytes;
    if (UNO_UNLIKELY(words > behind)) { /* it goes round the end */
        memcpy(to, word + place, behind * (size_t)WORD);
        memcpy(to + behind * (size_t)WORD, word, (words - behind) * (size_t)WORD);
    } else {
        copy(to, (const char *)(word + place), bytes);
    }
    if (uno_packet_is_last(header)) {
        m->bytes -= uno_packet_field(header, UNO_PACKET_UNUSED, 2);
        *complete = m;
        m = NULL;
    }
    *coming = m;
    return 1 + words;
}

/* Take in the packet that begins at a place of the inbox if it is a short message, without any call. Returns
 * the message; NULL: it is none, or there is no memory at hand for it. */
static inline struct message *take_short(struct uno_net *net, size_t place, uint32_t header) {
    size_t words = uno_packet_words(header);
    struct message *m = net->spare;
    if (UNO_UNLIKELY(!uno_packet_is_last(header) || words > FEW / WORD || place + words >= UNO_INBOX_WORDS ||
                     !m || net->coming[uno_packet_from(net->tile.columns, header)]))
        return NULL;
    net->spare = m->next;
    net->spares--;
    uno_copy_short(m->data, (const char *)(net->tile.inbox->word + place + 1), words * WORD);
    m->bytes = words * WORD - uno_packet_field(header, UNO_PACKET_UNUSED, 2);
    return m;
}

_Static_assert((int)FEW <= (int)ROOM_LEAST, "the memory at hand has room for a short message");

/* Take packets out of the inbox until a message is complete. Returns it; NULL: none is. */
static struct message *take_several(struct uno_net *net, uint64_t at, uint64_t end) {
    struct message *m = NULL;
    while (!m && at != end)
        at += take_packet(net, at % UNO_INBOX_WORDS, &m);
    /* SYNC EMPTIED: reads of the words have ended */
    uno_store64_release(&net->tile.inbox->taken, at);
    return m;
}

/* Take the next message out of the inbox. Returns NULL if there is none. */
static struct message *take_in(struct uno_net *net) {
    struct uno_inbox *inbox = net->tile.inbox;
    uint64_t at = uno_load64_relaxed(&inbox->taken);
    /* SYNC INBOX: the words */
    uint64_t end = uno_load64_acquire(&inbox->given);
    if (at == end)
        return NULL;
    uint32_t header = inbox->word[at % UNO_INBOX_WORDS];
    struct message *m = take_short(net, at % UNO_INBOX_WORDS, header);
    if (UNO_UNLIKELY(!m))
        return take_several(net, at, end);
    /* SYNC EMPTIED: reads of the words have ended */
    uno_store64_release(&inbox->taken, at + 1 + uno_packet_words(header));
    return m;
}

/* Return the next message; NULL: there is none. */
static inline struct message *next_message(struct uno_net *net) {
    struct message *m = net->ready;
    net->ready = NULL;
    return m ? m : take_in(net);
}

static bool poll(struct uno_net *net, struct uno_net_event *event) {
    if (net->dones) {
        *event = (struct uno_net_event){.what = UNO_NET_DONE, .context = net->done[--net->dones]};
        return true;
    }
    struct message *m = next_message(net);
    if (!m)
        return false;
    event->what = UNO_NET_ARRIVED;
    event->data = m->data;
    event->bytes = m->bytes;
    event->packet = m;
    return true;
}

static void release(struct uno_net *net, void *packet) {
    struct message *m = packet;
    if (net->spares == SPARES || m->room > SPARE_MOST) {
        free(m);
        return;
    }
    m->next = net->spare;
    net->spare = m;
    net->spares++;
}

bool uno_mesh_hear(struct uno_pe *pe) {
    const struct uno_net *net = pe->far->net;
    const struct uno_inbox *inbox = net->tile.inbox;
    bool news =
        net->ready || net->dones || uno_load64_relaxed(&inbox->given) != uno_load64_relaxed(&inbox->taken);
    return (news || pe->far->goes_on) && uno_far_poll(pe);
}

bool uno_mesh_has_news(struct uno_net *net) {
    return net->dones || (net->ready = next_message(net)) != NULL;
}

bool uno_mesh_is_still(const struct uno_net *net) {
    return uno_load32_relaxed(&net->tile.ports->still);
}

bool uno_mesh_wait(struct uno_net *net) {
    struct uno_at_tile *tile = &net->tile;
    if (uno_mesh_has_news(net))
        return false;
    if (tile->heard) /* otherwise the last wait goes on: another command would end the stillness of all */
        uno_at_tile_begin(tile, tile->waits, 0);
    /* otherwise an interrupt or a fault is to be seen to, at once */
    return !uno_at_tile_await(tile, true) && uno_mesh_is_still(net);
}

void uno_mesh_look(struct uno_net *net) {
    uno_at_tile_carry_out(&net->tile, UNO_COMMAND_LOOK, 0);
}

/* ---- messages out -------------------------------------------------------------------------------------- */

/* The parts of a message. */
struct parts {
    const struct iovec *next;
    const char *at; /* what is left of the present one, */
    size_t here;    /* in bytes */
};

/* Copy the next bytes. */
static void copy_parts(struct parts *from, char *to, size_t bytes) {
    while (bytes) {
        if (!from->here) {
            from->at = from->next->iov_base;
            from->here = from->next++->iov_len;
        }
        size_t some = from->here < bytes ? from->here : bytes;
        copy(to, from->at, some);
        to += some;
        bytes -= some;
        from->at += some;
        from->here -= some;
    }
}

/* Put the last packet of a message into the port, but for its bytes. Returns its words. */
static inline unsigned put_last(uint32_t *post, uint32_t way, size_t bytes) {
    unsigned words = (unsigned)(bytes + WORD - 1) / WORD, unused = words * WORD - (unsigned)bytes;
    post[words] = 0; /* the last one ends with zeros, if need be */
    post[0] = uno_packet_header(way, words, true, unused);
    return 1 + words;
}

/* Send a message of several packets. */
static __attribute__((noinline)) void send_long(struct uno_net *net, uint32_t way, struct parts *from,
                                                size_t left) {
    uint32_t *begin = net->tile.port->post, *post = begin;
    uint32_t full = uno_packet_header(way, UNO_PACKET_MOST, false, 0);
    for (; left > PACKET; left -= PACKET) {
        *post = full;
        if (from->here >= PACKET) {
            memcpy(post + 1, from->at, PACKET);
            from->at += PACKET;
            from->here -= PACKET;
        } else {
            copy_parts(from, (char *)(post + 1), PACKET);
        }
        post += 1 + UNO_PACKET_MOST;
        if (post == begin + UNO_PORT_POSTS) {
            uno_at_tile_carry_out(&net->tile, UNO_COMMAND_SEND, UNO_PORT_POSTS);
            post = begin;
        }
    }
    unsigned words = put_last(post, way, left);
    copy_parts(from, (char *)(post + 1), left);
    uno_at_tile_carry_out(&net->tile, UNO_COMMAND_SEND, (unsigned)(post - begin) + words);
}

/* Send a message of one packet. */
static void send_short(struct uno_net *net, uint32_t way, const struct iovec *parts, int count,
                       size_t bytes) {
    uint32_t *post = net->tile.port->post;
    unsigned words = put_last(post, way, bytes);
    char *at = (char *)(post + 1);
    for (const struct iovec *end = parts + count; parts < end; at += parts++->iov_len)
        copy(at, parts->iov_base, parts->iov_len);
    uno_at_tile_carry_out(&net->tile, UNO_COMMAND_SEND, words);
}
_Static_assert(UNO_PORT_POSTS % (1 + UNO_PACKET_MOST) == 0, "a command has room for whole packets");

/* Note that a send is over. Returns 0 or -errno. */
static int finish(struct uno_net *net, void *context) {
    if (net->dones == net->room) {
        size_t room = net->room ? 2 * net->room : 8;
        void **grown = realloc(net->done, room * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        net->done = grown;
        net->room = room;
    }
    net->done[net->dones++] = context;
    return 0;
}

/* The memory is the caller's again when this returns. */
static int send(struct uno_net *net, uint64_t peer, const struct iovec *parts, int count, void *context) {
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += parts[i].iov_len;
    if (bytes <= PACKET)
        send_short(net, (uint32_t)peer, parts, count, bytes);
    else
        send_long(net, (uint32_t)peer, &(struct parts){.next = parts}, bytes);
    return context ? finish(net, context) : 0;
}

/* ---- the endpoint -------------------------------------------------------------------------------------- */

struct uno_net *uno_mesh_open(struct uno_pe *pe) {
    struct uno_net *net = calloc(1, sizeof *net + (size_t)pe->n * sizeof *net->coming);
    if (!net)
        return NULL;
    uno_at_tile_open(&net->tile, pe);
    return net;
}

static int name_peer(struct uno_net *net, const char *address, size_t bytes, uint64_t *peer) {
    uint32_t tile;
    if (bytes != sizeof tile)
        return -EINVAL;
    memcpy(&tile, address, bytes);
    *peer = uno_packet_way(net->tile.columns, (int)tile);
    return 0;
}

static size_t least(const struct uno_net *net) {
    (void)net;
    return SIZE_MAX;
}

static int expose(struct uno_net *net, void *memory, size_t bytes, struct uno_net_key *key, void **exposed) {
    (void)net, (void)memory, (void)bytes, (void)key, (void)exposed;
    return -EOPNOTSUPP;
}

static void close(struct uno_net *net) {
    for (struct message *m; (m = net->spare);) {
        net->spare = m->next;
        free(m);
    }
    free(net->ready);
    for (int k = 0; k < net->tile.pe->n; k++)
        free(net->coming[k]);
    free(net->done);
    free(net);
}

uno_atomic64 *uno_mesh_bell(struct uno_net *net) {
    return &net->tile.port->bell;
}

struct uno_at_tile *uno_mesh_tile(struct uno_net *net) {
    return &net->tile;
}

const struct uno_net_kind uno_net_mesh = {
    .name = "mesh",
    .name_peer = name_peer,
    .least = least,
    .send = send,
    .expose = expose,
    .poll = poll,
    .release = release,
    .close = close,
};

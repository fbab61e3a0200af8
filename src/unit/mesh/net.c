#include "net.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/far/far.h"
#include "engine/fault.h"
#include "commands.h"

enum { WORD = sizeof(uint32_t) };

/* A message that has come, or of which packets have. */
struct message {
    struct message *next;
    size_t bytes, room;
    char data[] __attribute__((aligned(8)));
};

struct uno_net {
    struct uno_at_tile tile;
    unsigned filled;              /* words in the port, for the next command */
    uint32_t header;              /* of the packet that is being taken out, */
    unsigned owed;                /* and its words that have not been */
    struct message *first, *last; /* those that are complete */
    void **done;                  /* the contexts of sends that are over, and not told */
    size_t dones, room;           /* their number, and how many have room */
    struct message *coming[];     /* from each PE */
};

/* ---- messages in --------------------------------------------------------------------------------------- */

/* Return the message from a PE with room for so many further bytes. */
static struct message *grow(struct uno_net *net, int from, size_t bytes) {
    struct message *m = net->coming[from];
    size_t has = m ? m->bytes : 0;
    if (m && m->room - has >= bytes)
        return m;
    size_t room = has + bytes > 2 * has ? has + bytes : 2 * has;
    struct message *grown = realloc(m, sizeof *m + room);
    if (!grown)
        uno_fail(net->tile.pe, "out of memory for a message of %zu bytes or more", has + bytes);
    grown->bytes = has;
    grown->room = room;
    return net->coming[from] = grown;
}

static void complete(struct uno_net *net, int from) {
    struct message *m = net->coming[from];
    m->bytes -= uno_packet_field(net->header, UNO_PACKET_UNUSED, 2);
    m->next = NULL;
    if (net->first)
        net->last->next = m;
    else
        net->first = m;
    net->last = m;
    net->coming[from] = NULL;
}

/* Take in words that lie one after the other. Returns the number of those that are of one packet. */
static uint64_t take_words(struct uno_net *net, const uint32_t *word, uint64_t count) {
    if (!net->owed) {
        net->header = *word;
        net->owed = uno_packet_words(*word);
        return 1;
    }
    int from = uno_packet_from(net->tile.columns, net->header);
    struct message *m = grow(net, from, net->owed * (size_t)WORD);
    uint64_t some = net->owed < count ? net->owed : count;
    memcpy(m->data + m->bytes, word, some * WORD);
    m->bytes += some * WORD;
    net->owed -= (unsigned)some;
    if (!net->owed && uno_packet_is_last(net->header))
        complete(net, from);
    return some;
}

/* Take in what is in the inbox. */
static void take_in(struct uno_net *net) {
    struct uno_inbox *inbox = net->tile.inbox;
    uint64_t at = uno_load64_relaxed(&inbox->taken);
    /* SYNC INBOX: the words */
    uint64_t end = uno_load64_acquire(&inbox->given);
    if (at == end)
        return;
    while (at < end) {
        uint64_t first = at % UNO_INBOX_WORDS, straight = UNO_INBOX_WORDS - first;
        at += take_words(net, inbox->word + first, end - at < straight ? end - at : straight);
    }
    /* SYNC EMPTIED: reads of the words have ended */
    uno_store64_release(&inbox->taken, at);
}

/* Give a command and wait for its answer. */
static void carry_out(struct uno_net *net, enum uno_command what, unsigned count) {
    uno_at_tile_carry_out(&net->tile, what, count);
    take_in(net);
}

static bool poll(struct uno_net *net, struct uno_net_event *event) {
    if (net->dones) {
        *event = (struct uno_net_event){.what = UNO_NET_DONE, .context = net->done[--net->dones]};
        return true;
    }
    struct message *m = net->first;
    if (!m)
        return false;
    net->first = m->next;
    *event = (struct uno_net_event){.what = UNO_NET_ARRIVED, .data = m->data, .bytes = m->bytes, .packet = m};
    return true;
}

static void release(struct uno_net *net, void *packet) {
    (void)net;
    free(packet);
}

bool uno_mesh_has_news(const struct uno_net *net) {
    return net->first || net->dones;
}

bool uno_mesh_is_still(const struct uno_net *net) {
    return uno_load32_relaxed(&net->tile.ports->still);
}

bool uno_mesh_wait(struct uno_net *net) {
    struct uno_at_tile *tile = &net->tile;
    if (uno_mesh_has_news(net))
        return false;
    if (tile->heard) /* otherwise the last wait has not ended */
        uno_at_tile_begin(tile, tile->waits, 0);
    if (!uno_at_tile_await(tile, true))
        return uno_mesh_is_still(net); /* otherwise an interrupt or a fault is to be seen to, at once */
    take_in(net);
    return false;
}

void uno_mesh_look(struct uno_net *net) {
    carry_out(net, UNO_COMMAND_LOOK, 0);
}

/* ---- messages out -------------------------------------------------------------------------------------- */

/* The bytes of the parts of a message, one after the other. */
struct bytes {
    const struct iovec *part;
    size_t at; /* in the first part */
    size_t left;
};

/* Copy the next words; the last one ends with zeros, if need be. */
static void copy_words(struct bytes *from, uint32_t *to, unsigned words) {
    size_t left = words * (size_t)WORD;
    if (left > from->left) {
        left = from->left;
        to[words - 1] = 0;
    }
    from->left -= left;
    for (char *at = (char *)to; left;) {
        const struct iovec *part = from->part;
        size_t here = part->iov_len - from->at, some = here < left ? here : left;
        memcpy(at, (const char *)part->iov_base + from->at, some);
        at += some;
        left -= some;
        from->at += some;
        if (from->at == part->iov_len) {
            from->part++;
            from->at = 0;
        }
    }
}

/* Put the words of the next packet into the port. */
static void put_packet(struct uno_net *net, int to, struct bytes *from) {
    size_t left = (from->left + WORD - 1) / WORD;
    unsigned words = left < UNO_PACKET_MOST ? (unsigned)left : UNO_PACKET_MOST;
    unsigned unused = left <= UNO_PACKET_MOST ? (unsigned)(left * WORD - from->left) : 0;
    uint32_t *post = net->tile.port->post + net->filled;
    *post++ = uno_packet_header(net->tile.columns, to, words, left <= UNO_PACKET_MOST, unused);
    copy_words(from, post, words);
    net->filled += 1 + words;
}

static void flush(struct uno_net *net) {
    if (net->filled)
        carry_out(net, UNO_COMMAND_SEND, net->filled);
    net->filled = 0;
}

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

/* The words are in the network when this returns, and the memory is the caller's again. */
static int send(struct uno_net *net, uint64_t peer, const struct iovec *parts, int count, void *context) {
    struct bytes from = {.part = parts};
    for (int i = 0; i < count; i++)
        from.left += parts[i].iov_len;
    while (from.left) {
        if (net->filled + 1 + UNO_PACKET_MOST > UNO_PORT_POSTS)
            flush(net);
        put_packet(net, (int)peer, &from);
    }
    flush(net);
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
    (void)net;
    if (bytes != sizeof tile)
        return -EINVAL;
    memcpy(&tile, address, bytes);
    *peer = tile;
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
    for (struct message *m; (m = net->first);) {
        net->first = m->next;
        free(m);
    }
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

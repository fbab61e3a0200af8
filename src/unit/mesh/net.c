#include "net.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bell.h"
#include "engine/count.h"
#include "engine/far/far.h"
#include "engine/fault.h"
#include "engine/kernel.h"
#include "engine/signature.h"
#include "engine/tuning.h"
#include "inbox.h"

enum { WORD = sizeof(uint32_t) };

/* A message that has come, or of which packets have. */
struct message {
    struct message *next;
    size_t bytes, room;
    char data[] __attribute__((aligned(8)));
};

struct uno_net {
    struct uno_pe *pe;
    struct uno_ports *ports;
    struct uno_port *port;
    struct uno_inbox *inbox;
    uint64_t commands; /* ever */
    uint64_t rung;     /* engine/bell.h */
    bool counts;       /* somebody counts instructions (engine/count.h): */
    uint64_t counted;  /* those at the last answer, */
    uint64_t each;     /* and what it takes to count */
    bool heard;        /* the last answer */
    int columns;
    unsigned filled;              /* words in the port, for the next command */
    uint32_t header;              /* of the packet that is being taken out, */
    unsigned owed;                /* and its words that have not been */
    struct message *first, *last; /* those that are complete */
    struct message *coming[];     /* from each PE */
};

/* ---- commands ------------------------------------------------------------------------------------------ */

static bool answered(const struct uno_net *net) {
    /* SYNC ANSWER: what has come before it, and its clock */
    return uno_load64_acquire(&net->port->answer) == net->commands;
}

/* Note that the last answer has been seen: from now on the PE's instructions are work again. */
static void hear(struct uno_net *net) {
    if (!net->heard && net->counts)
        uno_count(&net->counted);
    net->heard = true;
}

/* Return the instructions of the PE since the last answer, of which each is a clock. A command that ends a
 * wait has none. */
static uint64_t work(const struct uno_net *net) {
    uint64_t now;
    return net->counts && net->heard && uno_count(&now) ? now - net->counted - net->each : 0;
}

static void command(struct uno_net *net, enum uno_command what, unsigned count) {
    net->port->what = what;
    net->port->count = count;
    net->inbox->work = work(net);
    net->heard = false;
    /* SYNC COMMAND: the words */
    uno_store64_release(&net->port->command, ++net->commands);
    uno_bell_ring(&net->ports->bell, &net->rung);
}

static void await_answer(struct uno_net *net) {
    uno_atomic64 *bell = &net->port->bell;
    for (uint64_t began = uno_kernel_now(); !answered(net) && uno_kernel_now() - began < UNO_YIELD_NS;)
        uno_kernel_yield();
    while (!answered(net)) {
        uno_fault_check(net->pe, -1, UNO_SIGNATURE(UNO_OPS_MESSAGE, 0));
        uno_bell_arm(bell);
        /* SYNC BELL: the answer to this PE, or that it sleeps to the process of the mesh */
        uno_kernel_fence();
        uint64_t rung = uno_load64_relaxed(bell);
        if (!answered(net) && uno_bell_quiet(bell))
            uno_kernel_sleep(bell, rung, UNO_SLEEP_NS);
        uno_bell_disarm(bell);
    }
}

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
        uno_fail(net->pe, "out of memory for a message of %zu bytes or more", has + bytes);
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

/* Take in a word. */
static void take_word(struct uno_net *net, uint32_t word) {
    if (!net->owed) {
        net->header = word;
        net->owed = uno_packet_words(word);
        return;
    }
    int from = uno_packet_from(net->columns, net->header);
    struct message *m = grow(net, from, net->owed * (size_t)WORD);
    memcpy(m->data + m->bytes, &word, WORD);
    m->bytes += WORD;
    if (--net->owed == 0 && uno_packet_is_last(net->header))
        complete(net, from);
}

/* Take in what is in the inbox. */
static void take_in(struct uno_net *net) {
    struct uno_inbox *inbox = net->inbox;
    uint64_t at = uno_load64_relaxed(&inbox->taken);
    /* SYNC GIVEN: the words */
    uint64_t end = uno_load64_acquire(&inbox->given);
    if (at == end)
        return;
    for (; at < end; at++)
        take_word(net, inbox->word[at % UNO_INBOX_WORDS]);
    /* SYNC TAKEN OUT: reads of the words have ended */
    uno_store64_release(&inbox->taken, at);
}

/* Give a command and wait for its answer. */
static void carry_out(struct uno_net *net, enum uno_command what, unsigned count) {
    command(net, what, count);
    await_answer(net);
    hear(net);
    take_in(net);
}

static bool poll(struct uno_net *net, struct uno_net_event *event) {
    if (!net->first && answered(net)) {
        hear(net);
        take_in(net);
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

bool uno_mesh_wait(struct uno_net *net) {
    if (!answered(net))
        return true; /* it waits already */
    hear(net);
    take_in(net);
    if (net->first)
        return false;
    command(net, UNO_COMMAND_WAIT, 0);
    return true;
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

static uint32_t next_word(struct bytes *from) {
    uint32_t word = 0;
    for (size_t have = 0, some; have < WORD && from->left; have += some) {
        const struct iovec *part = from->part;
        size_t here = part->iov_len - from->at;
        some = here < WORD - have ? here : WORD - have;
        memcpy((char *)&word + have, (const char *)part->iov_base + from->at, some);
        from->left -= some;
        from->at += some;
        if (from->at == part->iov_len) {
            from->part++;
            from->at = 0;
        }
    }
    return word;
}

/* Put the words of the next packet into the port. */
static void put_packet(struct uno_net *net, int to, struct bytes *from) {
    size_t left = (from->left + WORD - 1) / WORD;
    unsigned words = left < UNO_PACKET_MOST ? (unsigned)left : UNO_PACKET_MOST;
    unsigned unused = left <= UNO_PACKET_MOST ? (unsigned)(left * WORD - from->left) : 0;
    uint32_t *post = net->port->post + net->filled;
    *post++ = uno_packet_header(net->columns, to, words, left <= UNO_PACKET_MOST, unused);
    for (unsigned i = 0; i < words; i++)
        *post++ = next_word(from);
    net->filled += 1 + words;
}

static void flush(struct uno_net *net) {
    if (net->filled)
        carry_out(net, UNO_COMMAND_SEND, net->filled);
    net->filled = 0;
}

/* The words are in the network when this returns, and the memory is the caller's again. */
static int send(struct uno_net *net, uint64_t peer, const struct iovec *parts, int count, void *context) {
    struct bytes from = {.part = parts};
    (void)context;
    for (int i = 0; i < count; i++)
        from.left += parts[i].iov_len;
    while (from.left) {
        if (net->filled + 1 + UNO_PACKET_MOST > UNO_PORT_POSTS)
            flush(net);
        put_packet(net, (int)peer, &from);
    }
    flush(net);
    return 0;
}

/* ---- the endpoint -------------------------------------------------------------------------------------- */

struct uno_net *uno_mesh_open(struct uno_pe *pe) {
    struct uno_net *net = calloc(1, sizeof *net + (size_t)pe->n * sizeof *net->coming);
    if (!net)
        return NULL;
    net->pe = pe;
    net->ports = uno_ports(pe->job);
    net->port = &net->ports->port[pe->me];
    net->inbox = uno_inbox(net->ports, pe->n, pe->me);
    net->columns = net->ports->side[0];
    net->heard = true;
    net->counts = uno_count(&net->counted);
    if (net->counts) {
        uint64_t again;
        uno_count(&again);
        net->each = again - net->counted;
        uno_count(&net->counted);
    }
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
    for (int k = 0; k < net->pe->n; k++)
        free(net->coming[k]);
    free(net);
}

bool uno_mesh_is_still(const struct uno_net *net) {
    return uno_load32_relaxed(&net->ports->still);
}

uno_atomic64 *uno_mesh_bell(struct uno_net *net) {
    return &net->port->bell;
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

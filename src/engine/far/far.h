/* A PE's endpoint in the network between nodes, and the packets that it exchanges with PEs on other nodes.
 *
 * A packet begins with a head, which says of which kind it is. Each kind belongs to one user of the endpoint,
 * which sets the function that takes such packets in: the parts of operations (unit/nodes.c), the lines of
 * messages (channel/far/), and interrupts (interrupt.h). The packets of a pair of PEs arrive in the order in
 * which they were sent.
 *
 * The end. A PE that leaves says goodbye to every PE with which it has exchanged packets, and stays until
 * each has seen that, or says goodbye itself, or has left: so nothing that was sent is lost, and whoever has
 * a goodbye has everything that came before it. */

#ifndef UNO_FAR_H
#define UNO_FAR_H

#include <sys/uio.h>

#include "engine/nodes.h"
#include "engine/pe.h"
#include "net/net.h"

enum uno_far_kind {
    UNO_FAR_BYE,       /* the sender leaves, and sends nothing more */
    UNO_FAR_SEEN,      /* a goodbye has come */
    UNO_FAR_PART,      /* a node's part of an operation: unit/nodes/parts.h */
    UNO_FAR_LINES,     /* lines of a ring, and lines that were taken: channel/far/lines.h */
    UNO_FAR_WHOLE,     /* a message past the rings: channel/far/whole.h */
    UNO_FAR_INTERRUPT, /* what is told about an interrupt: interrupt.h */
    UNO_FAR_KINDS
};

/* Bytes of the longest packet: a head, all lines of a ring, and a piece of a message. */
enum { UNO_FAR_PACKET = 80 * 1024, UNO_FAR_KEPT = 16 /* packets that a PE keeps at a time */ };

struct uno_far_head {
    uint16_t kind; /* enum uno_far_kind */
    uint16_t from; /* the PE that sent it */
    uint32_t detail;
    uint64_t word;
};

/* A packet or a write that is being sent, and the function that is called when its memory is free again. */
struct uno_far_sending {
    void (*over)(struct uno_pe *pe, struct uno_far_sending *sending);
    int to; /* the PE, set by uno_far_send */
};

/* The state of a PE on another node. */
struct uno_far_peer {
    uint64_t number; /* the network's, */
    bool named;      /* once it is known */
    bool met;        /* packets were exchanged with it */
    bool told;       /* this PE has said goodbye to it */
    bool bye, seen;  /* a goodbye from it has come; it has seen this PE's */
    bool broken;     /* a packet or a write to it has failed */
    uint64_t left;   /* CLOCK_MONOTONIC ns when its board first showed that it has left; 0: not yet */
};

struct uno_far {
    const struct uno_net_kind *kind;
    struct uno_net *net;
    size_t least;            /* bytes of the longest packet that needs no memory until it is sent */
    bool leaves;             /* this PE has begun to say goodbye */
    bool each;               /* each PE is a node of its own, in one memory (uno_nodes_each) */
    uint64_t broken;         /* CLOCK_MONOTONIC ns when a packet first failed; 0: none has */
    int broken_to;           /* the PE to which, or -1, */
    char why[UNO_NET_ERROR]; /* and the network's words */
    void **later;            /* memory that is freed when the endpoint is closed */
    int laters;
    struct uno_watcher *watcher;           /* watcher.h; NULL before the first sleep */
    struct uno_far_interrupts *interrupts; /* of interrupt.c */
    unsigned unheard; /* operations since a packet has come, or interrupt.h has looked for one */
    /* Take in a packet, of which `bytes` follow the head. Returns true if it keeps the packet, until
     * uno_far_release. */
    bool (*take[UNO_FAR_KINDS])(struct uno_pe *pe, const struct uno_far_head *head, const char *data,
                                size_t bytes, void *packet);
    /* Called by each poll while goes_on: go on with what had no room in the network. any: something has
     * come. It says itself when nothing is left. */
    void (*go_on)(struct uno_pe *pe, bool any);
    bool goes_on;
    uno_atomic64 *taken;        /* uno_far_taken */
    struct uno_far_peer peer[]; /* of every PE; those on this node are unused */
};

/* Begin, with an endpoint of this kind, which then belongs to this. Ends with an error if there is no memory.
 */
void uno_far_start(struct uno_pe *pe, const struct uno_net_kind *kind, struct uno_net *net);

/* Say goodbye, wait until everything that was sent has arrived, and close the endpoint. */
void uno_far_end(struct uno_pe *pe);

/* End the watch over the network, before the bell ends that it rings. The PE then looks by itself. */
void uno_far_sleepless(struct uno_pe *pe);

/* Take in what has come, as far as the first packet. Returns true if there was anything. Ends the process if
 * a connection is lost, and nobody has told why for a while. */
bool uno_far_poll(struct uno_pe *pe);

/* Name PE k to the network. Returns false if its address has not come yet. */
UNO_COLD bool uno_far_name(struct uno_pe *pe, int k);

/* A packet has not been sent. Returns true if it may not be tried again. */
UNO_COLD bool uno_far_is_refused(struct uno_pe *pe, int k, struct uno_far_sending *sending, int error);

/* Count packets to PE k. In a memory of many nodes its count is that of the packets which it takes in. */
static inline void uno_far_count(struct uno_pe *pe, int k, uint64_t packets) {
    if (!pe->far->each)
        uno_add64_relaxed(&uno_nodes_of(pe->job)->place[k].packets, packets);
}

/* Send a packet to PE k: a head and at most two further parts. `sending` gets its memory back by `over`;
 * NULL: the packet has at most far->least bytes. Returns false if there is no room, or the address of PE k is
 * not known yet: nothing was sent, and far->go_on is called when it may be tried again. */
static inline bool uno_far_send(struct uno_pe *pe, int k, const struct iovec *parts, int count,
                                struct uno_far_sending *sending) {
    struct uno_far *far = pe->far;
    struct uno_far_peer *peer = &far->peer[k];
    if (UNO_UNLIKELY(!peer->named) && !uno_far_name(pe, k))
        return false;
    if (sending)
        sending->to = k;
    peer->met = true;
    /* It counts from before it is sent, so that a process which is killed here leaves none on its way that
     * does not count. */
    uno_far_count(pe, k, 1);
    int error = far->kind->send(far->net, peer->number, parts, count, sending);
    return UNO_LIKELY(!error) || uno_far_is_refused(pe, k, sending, error);
}

/* Let PEs on other nodes write to this memory, until uno_far_hide. Returns false if that cannot be done. */
bool uno_far_expose(struct uno_pe *pe, void *memory, size_t bytes, struct uno_net_key *key, void **exposed);
static inline void uno_far_hide(struct uno_pe *pe, void *exposed) {
    pe->far->kind->hide(pe->far->net, exposed);
}

/* Write to the exposed memory of PE k, with which packets were exchanged, from its byte `at` on. `sending`
 * gets the data back by `over`; what is sent to PE k afterwards comes when all of them are there. Returns
 * false, and has written nothing, if there is no room. */
bool uno_far_write(struct uno_pe *pe, int k, const struct uno_net_key *key, size_t at, const void *data,
                   size_t bytes, struct uno_far_sending *sending);

/* Return the count of the packets that this PE has taken in, which it alone changes. */
static inline uno_atomic64 *uno_far_taken(struct uno_pe *pe) {
    return pe->far->taken;
}

/* Free memory of packets that may be on their way, once the endpoint is closed. memory: of malloc, or NULL.
 */
void uno_far_free_later(struct uno_pe *pe, void *memory);

/* Give back a packet that was kept. */
static inline void uno_far_release(struct uno_pe *pe, void *packet) {
    pe->far->kind->release(pe->far->net, packet);
}

#endif

/* The network that carries packets between the PEs of several machines. Each PE has one endpoint, by which it
 * sends to every other one and receives from all.
 *
 * An implementation is one struct uno_net_kind: libfabric (fabric.c), loaded when it is needed, and a network
 * within one process (inside_kind.c) that delays, reorders and cuts, for tests. Packets from one endpoint to
 * another arrive once each, whole and in the order in which they were sent; packets of different pairs are
 * not ordered. Nothing but `open` blocks. An endpoint is used by one thread at a time. Functions that can
 * fail return 0 or -errno unless they say more. */

#ifndef UNO_NET_H
#define UNO_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum {
    UNO_NET_ADDRESS = 112, /* bytes of the longest address of an endpoint */
    UNO_NET_ERROR = 256,   /* bytes of the text of an error, with its zero */
    UNO_NET_PARTS = 3,     /* parts of one packet, at most */
};

/* An endpoint; each implementation defines its own. */
struct uno_net;

/* The caller's wishes for an endpoint. */
struct uno_net_wishes {
    const char
        *interface; /* the network interface, or an address of it; NULL: the one that the system takes */
    int first_port, last_port; /* the ports that it may listen on; 0: any */
    size_t packet;             /* bytes of the longest packet */
    int packets;               /* received packets that the caller keeps at a time, at most */
};

/* Memory that others may write to: what `expose` returns, and `write` takes. It travels in packets. */
struct uno_net_key {
    uint64_t key;
    uint64_t at; /* the start of the memory, as the network names it */
};

/* Something that has happened at an endpoint. */
struct uno_net_event {
    enum {
        UNO_NET_ARRIVED, /* a packet; it stays where it is until `release` */
        UNO_NET_DONE,    /* a send or a write with a context is over, and its memory is the caller's again */
        UNO_NET_FAILED,  /* a send or a write with a context has failed; NULL: a packet without one is lost */
    } what;
    const char *data; /* ARRIVED: the packet, aligned to 8 bytes */
    size_t bytes;
    void *packet;     /* ARRIVED: for `release` */
    void *context;    /* DONE, FAILED */
    int error;        /* FAILED: -errno; */
    const char *text; /* and the network's own words for it, valid until the next call */
};

struct uno_net_kind {
    const char *name;

    /* Open an endpoint. Returns NULL, and the reason in `error`, if that cannot be done: a sentence that says
     * what to do. */
    struct uno_net *(*open)(const struct uno_net_wishes *wishes, char error[UNO_NET_ERROR]);

    /* Write this endpoint's address, by which those on other machines reach it. Returns its bytes. */
    size_t (*address)(struct uno_net *net, char address[UNO_NET_ADDRESS]);

    /* Describe the network in a few words, as "tcp;ofi_rxm of libfabric 1.17". */
    const char *(*describe)(const struct uno_net *net);

    /* Make another endpoint known by its address: *peer is its number for sends and writes. Sends nothing. */
    int (*name_peer)(struct uno_net *net, const char *address, size_t bytes, uint64_t *peer);

    /* The longest packet whose memory is the caller's again at once if its context is NULL. */
    size_t (*least)(const struct uno_net *net);

    /* Send a packet, made of 1 to UNO_NET_PARTS parts. The parts stay untouched until the event DONE or
     * FAILED with this context; the array of them need not. context NULL: no event comes unless the packet is
     * lost, and it has at most `least` bytes. Returns -EAGAIN if there is no room at the moment: nothing was
     * sent, and the caller calls `poll` before it tries again. That also goes on if the peer has died: who
     * knows of its end by other means stops trying. */
    int (*send)(struct uno_net *net, uint64_t peer, const struct iovec *parts, int count, void *context);

    /* Let others write to this memory, until `hide`, which ends no write that is under way. What they write
     * comes while this endpoint calls `poll`. Returns -EOPNOTSUPP if nobody can write over this network. */
    int (*expose)(struct uno_net *net, void *memory, size_t bytes, struct uno_net_key *key, void **exposed);
    void (*hide)(struct uno_net *net, void *exposed);

    /* Write to the exposed memory of a peer, from its byte `at` on. The data stay untouched until the event
     * DONE or FAILED. A packet that is sent to the peer afterwards comes when all of it is there. Returns
     * -EAGAIN as `send` does. */
    int (*write)(struct uno_net *net, uint64_t peer, const struct uno_net_key *key, size_t at,
                 const void *data, size_t bytes, void *context);

    /* Go on with the network, and return true and the next event if there is one. */
    bool (*poll)(struct uno_net *net, struct uno_net_event *event);

    /* Give the memory of a packet back, for further ones. */
    void (*release)(struct uno_net *net, void *packet);

    /* Return a descriptor that becomes readable when `poll` has something to do; -1: there is none. */
    int (*descriptor)(const struct uno_net *net);

    /* Return true if nothing has come, so that the descriptor tells the next event: to be called before each
     * sleep on it. False: call `poll` first. */
    bool (*may_sleep)(struct uno_net *net);

    /* Close the endpoint, after a moment in which packets that were sent leave it. Packets that come in are
     * dropped, and no memory is exposed any more. */
    void (*close)(struct uno_net *net);
};

extern const struct uno_net_kind uno_net_fabric, uno_net_inside;

#endif

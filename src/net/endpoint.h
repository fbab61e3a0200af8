/* An endpoint of libfabric: its objects, and the memory of its operations. endpoint.c opens and closes it,
 * and fabric.c uses it. */

#ifndef UNO_NET_ENDPOINT_H
#define UNO_NET_ENDPOINT_H

#include "load.h"

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

enum {
    UNO_FABRIC_SENDS = 256, /* sends and writes that are under way at a time, at most */
    UNO_FABRIC_AHEAD = 32,  /* packets that can be received beside those that the caller keeps */
};

/* Something that was asked of libfabric, which uses the memory of its context until it is over. */
struct uno_operation {
    struct fi_context2 its; /* libfabric's; the first member, so that its address is that of the operation */
    char *packet;           /* the memory that a packet is received into; NULL: a send or a write */
    size_t come;            /* of a packet: 0: it has not come; otherwise one more than its bytes */
    void *context;          /* the caller's, of a send or a write */
    struct uno_operation *next; /* while none uses it: another such one */
};

struct uno_fabric_peer {
    fi_addr_t address;
    bool is_owed; /* a packet without context may still be in the memory of the provider */
};

struct uno_net {
    struct uno_libfabric library;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    struct fid_ep *ep;
    int descriptor; /* of the completion queue; -1: it has none */

    size_t least;   /* bytes that a packet without context can have */
    char *gathered; /* so many, for one made of several parts */

    size_t packet; /* bytes of the longest packet */
    struct uno_operation *received, *sent, *free;
    char *packets;
    size_t packets_bytes;
    int packets_count;

    /* A provider fills the memory of packets in the order in which they were sent, but some tell of it in
     * another one: ofi_rxm fetches long packets, and short ones that come behind are there sooner. With
     * those, packets are given to the caller in the order in which their memory was posted, which this ring
     * has. The provider "tcp" needs none of this, and a packet that comes slowly holds up nobody else's. */
    bool sorts;
    struct uno_operation **posted;
    int posted_first, posted_count;
    int under_way; /* sends and writes that are not over */

    struct uno_fabric_peer *peers;
    uint64_t peers_count, peers_room;
    uint64_t keys; /* counts the memory that was exposed */
    char words[64];
};

struct uno_net *uno_fabric_open(const struct uno_net_wishes *wishes, char error[UNO_NET_ERROR]);

/* Close the objects and free the memory of an endpoint, or of one that was opened in part. */
void uno_fabric_end(struct uno_net *net);

/* Return the packet that is the next one for the caller, if it has come; NULL: it has not. */
static inline struct uno_operation *uno_fabric_first(const struct uno_net *net) {
    struct uno_operation *first = net->posted_count ? net->posted[net->posted_first] : NULL;
    return first && first->come ? first : NULL;
}

/* Let a packet be received into the memory of an operation. Returns 0 or -errno. */
int uno_fabric_post(struct uno_net *net, struct uno_operation *operation);

/* Return an error of libfabric, which has numbers of its own, as -errno. */
int uno_fabric_errno(ssize_t error);

#endif

/* libfabric as a network: packets, writes, and what has come of them. */

#include "endpoint.h"

#include <errno.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- addresses ---------------------------------------------------------------------------------------- */

static size_t address(struct uno_net *net, char text[UNO_NET_ADDRESS]) {
    size_t bytes = UNO_NET_ADDRESS;
    return fi_getname(&net->ep->fid, text, &bytes) ? 0 : bytes;
}

static const char *describe(const struct uno_net *net) {
    return net->words;
}

static int name_peer(struct uno_net *net, const char *text, size_t bytes, uint64_t *peer) {
    uint64_t aligned[UNO_NET_ADDRESS / sizeof(uint64_t)] = {0};
    if (bytes > sizeof aligned)
        return -EINVAL;
    memcpy(aligned, text, bytes);
    if (net->peers_count == net->peers_room) {
        uint64_t room = net->peers_room ? 2 * net->peers_room : 16;
        struct uno_fabric_peer *peers = realloc(net->peers, room * sizeof *peers);
        if (!peers)
            return -ENOMEM;
        net->peers = peers;
        net->peers_room = room;
    }
    struct uno_fabric_peer *new = &net->peers[net->peers_count];
    *new = (struct uno_fabric_peer){0};
    if (fi_av_insert(net->av, aligned, 1, &new->address, 0, NULL) != 1)
        return -EINVAL;
    *peer = net->peers_count++;
    return 0;
}

/* ---- sends and writes --------------------------------------------------------------------------------- */

static size_t least(const struct uno_net *net) {
    return net->least;
}

/* Return an operation for a send or a write; NULL: all are under way. */
static struct uno_operation *take(struct uno_net *net, void *context) {
    struct uno_operation *operation = net->free;
    if (operation) {
        net->free = operation->next;
        net->under_way++;
        operation->context = context;
    }
    return operation;
}

static void put_back(struct uno_net *net, struct uno_operation *operation) {
    operation->next = net->free;
    net->free = operation;
    net->under_way--;
}

/* Send a packet that the provider copies. */
static int inject(struct uno_net *net, struct uno_fabric_peer *to, const struct iovec *parts, int count) {
    const char *data = parts->iov_base;
    size_t bytes = parts->iov_len;
    if (count > 1) {
        data = net->gathered;
        bytes = 0;
        for (int i = 0; i < count; i++) {
            if (bytes + parts[i].iov_len > net->least)
                return -EMSGSIZE;
            memcpy(net->gathered + bytes, parts[i].iov_base, parts[i].iov_len);
            bytes += parts[i].iov_len;
        }
    }
    to->is_owed = true;
    return uno_fabric_errno(fi_inject(net->ep, data, bytes, to->address));
}

static int post_send(struct uno_net *net, struct uno_fabric_peer *to, const struct iovec *parts, int count,
                     void *context) {
    struct uno_operation *operation = take(net, context);
    if (!operation)
        return -EAGAIN;
    ssize_t error = fi_sendv(net->ep, parts, NULL, (size_t)count, to->address, &operation->its);
    if (error)
        put_back(net, operation);
    return uno_fabric_errno(error);
}

static int send_packet(struct uno_net *net, uint64_t peer, const struct iovec *parts, int count,
                       void *context) {
    struct uno_fabric_peer *to = &net->peers[peer];
    return context ? post_send(net, to, parts, count, context) : inject(net, to, parts, count);
}

static int expose(struct uno_net *net, void *memory, size_t bytes, struct uno_net_key *key, void **exposed) {
    if (!(net->info->caps & FI_RMA))
        return -EOPNOTSUPP;
    struct fid_mr *mr;
    int error = fi_mr_reg(net->domain, memory, bytes, FI_REMOTE_WRITE, 0, net->keys++, 0, &mr, NULL);
    if (!error && net->info->domain_attr->mr_mode & FI_MR_ENDPOINT) {
        error = fi_mr_bind(mr, &net->ep->fid, 0);
        if (!error)
            error = fi_mr_enable(mr);
        if (error)
            fi_close(&mr->fid);
    }
    if (error)
        return uno_fabric_errno(error);
    bool by_address = net->info->domain_attr->mr_mode & FI_MR_VIRT_ADDR;
    *key = (struct uno_net_key){.key = fi_mr_key(mr), .at = by_address ? (uintptr_t)memory : 0};
    *exposed = mr;
    return 0;
}

static void hide(struct uno_net *net, void *exposed) {
    (void)net;
    fi_close(&((struct fid_mr *)exposed)->fid);
}

static int write_memory(struct uno_net *net, uint64_t peer, const struct uno_net_key *key, size_t at,
                        const void *data, size_t bytes, void *context) {
    if (!(net->info->caps & FI_RMA))
        return -EOPNOTSUPP;
    struct uno_operation *operation = take(net, context);
    if (!operation)
        return -EAGAIN;
    ssize_t error = fi_write(net->ep, data, bytes, NULL, net->peers[peer].address, key->at + at, key->key,
                             &operation->its);
    if (error)
        put_back(net, operation);
    return uno_fabric_errno(error);
}

/* ---- events ------------------------------------------------------------------------------------------- */

static void release(struct uno_net *net, void *packet) {
    struct uno_operation *operation = packet;
    /* There is room for each of them, so only progress can be what a provider waits for. */
    while (uno_fabric_post(net, operation) == -EAGAIN)
        fi_cq_read(net->cq, NULL, 0);
}

/* Fill in the event of an error. Returns false if it tells the caller nothing. */
static bool has_failed(struct uno_net *net, struct uno_net_event *event) {
    struct fi_cq_err_entry entry = {0};
    if (fi_cq_readerr(net->cq, &entry, 0) != 1)
        return false;
    struct uno_operation *operation = entry.op_context;
    *event = (struct uno_net_event){.what = UNO_NET_FAILED,
                                    .error = uno_fabric_errno(-entry.err),
                                    .text = net->library.fi_strerror(entry.err)};
    if (operation && operation->packet) {
        operation->come = 1; /* as an empty packet, which the caller does not see */
        if (!net->sorts)
            release(net, operation);
    } else if (operation) {
        event->context = operation->context;
        put_back(net, operation);
        return event->context != net; /* close_gently() waits for it */
    }
    return true;
}

/* Give a packet to the caller. Returns false if it is the empty one of an endpoint that closes. */
static bool has_arrived(struct uno_net *net, struct uno_operation *operation, struct uno_net_event *event) {
    if (operation->come == 1) {
        release(net, operation);
        return false;
    }
    *event = (struct uno_net_event){.what = UNO_NET_ARRIVED,
                                    .data = operation->packet,
                                    .bytes = operation->come - 1,
                                    .packet = operation};
    return true;
}

/* Take the first packet out of the ring. */
static void take_first(struct uno_net *net) {
    net->posted_count--;
    if (++net->posted_first == net->packets_count)
        net->posted_first = 0;
}

/* Take one completion in. Returns true if it is an event. */
static bool has_ended(struct uno_net *net, const struct fi_cq_msg_entry *entry, struct uno_net_event *event) {
    struct uno_operation *operation = entry->op_context;
    if (operation->packet) {
        operation->come = entry->len + 1;
        return !net->sorts && has_arrived(net, operation, event);
    }
    *event = (struct uno_net_event){.what = UNO_NET_DONE, .context = operation->context};
    put_back(net, operation);
    return true;
}

static bool next_event(struct uno_net *net, struct uno_net_event *event) {
    for (;;) {
        struct uno_operation *first = uno_fabric_first(net);
        if (first) {
            take_first(net);
            if (has_arrived(net, first, event))
                return true;
            continue;
        }
        struct fi_cq_msg_entry entry;
        ssize_t read = fi_cq_read(net->cq, &entry, 1);
        if (read != 1 && read != -FI_EAVAIL)
            return false;
        if (read == 1 ? has_ended(net, &entry, event) : has_failed(net, event))
            return true;
    }
}

static int descriptor(const struct uno_net *net) {
    return net->descriptor;
}

static bool may_sleep(struct uno_net *net) {
    struct fid *queue = &net->cq->fid;
    return !uno_fabric_first(net) && fi_trywait(net->fabric, &queue, 1) == 0;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Go on with the network, and drop what comes. */
static void drop(struct uno_net *net) {
    struct uno_net_event event;
    if (next_event(net, &event) && event.what == UNO_NET_ARRIVED)
        release(net, event.packet);
}

/* Nothing tells when a packet without context has left the memory of the provider, so an empty one, with a
 * context, goes behind the last one to each peer. A peer that has closed its endpoint never has room for it:
 * if nothing is under way, an endpoint that has not got any room for a moment is taken for closed. */
static void close_gently(struct uno_net *net) {
    double begin = seconds();
    struct iovec nothing = {.iov_base = net->gathered};
    for (uint64_t k = 0; k < net->peers_count; k++)
        while (net->peers[k].is_owed && post_send(net, &net->peers[k], &nothing, 1, net) == -EAGAIN &&
               seconds() < begin + (net->under_way ? 1 : 0.005))
            drop(net);
    while (net->under_way && seconds() < begin + 1)
        drop(net);
    uno_fabric_end(net);
}

const struct uno_net_kind uno_net_fabric = {
    .name = "libfabric",
    .open = uno_fabric_open,
    .address = address,
    .describe = describe,
    .name_peer = name_peer,
    .least = least,
    .send = send_packet,
    .expose = expose,
    .hide = hide,
    .write = write_memory,
    .poll = next_event,
    .release = release,
    .descriptor = descriptor,
    .may_sleep = may_sleep,
    .close = close_gently,
};

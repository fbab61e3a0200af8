/* The network within one process, as one of the kinds of networks. */

#define _GNU_SOURCE /* for timerfd */
#include "inside_queue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { LEAST = 64, ROOM = 64 };

/* ---- opening and closing ------------------------------------------------------------------------------ */

static struct uno_net *open_inside(const struct uno_net_wishes *wishes, char error[UNO_NET_ERROR]) {
    struct uno_net *net = calloc(1, sizeof *net);
    int timer = net ? timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC) : -1;
    if (timer < 0) {
        snprintf(error, UNO_NET_ERROR, "There is no memory or no descriptor for an endpoint. Close some.");
        free(net);
        return NULL;
    }
    pthread_mutex_lock(&uno_inside.lock);
    *net = (struct uno_net){.next = uno_inside.first,
                            .number = ++uno_inside.opened,
                            .packet = wishes->packet,
                            .packets = wishes->packets,
                            .timer = timer,
                            .armed = UINT64_MAX};
    uno_inside.first = net;
    pthread_mutex_unlock(&uno_inside.lock);
    return net;
}

/* All that it has sent is brought into memory of its own, so that nothing keeps it. */
static void close_inside(struct uno_net *net) {
    pthread_mutex_lock(&uno_inside.lock);
    struct uno_net **place = &uno_inside.first;
    while (*place != net)
        place = &(*place)->next;
    *place = net->next;
    if (!uno_inside.first)
        uno_inside.opened = 0; /* so that the same seed has the same effect again */
    for (struct uno_net *other = uno_inside.first; other; other = other->next)
        for (struct uno_inside_item *item = other->queue; item; item = item->next)
            if (item->what != SENT && item->from == net->number)
                uno_inside_gather(item);
    while (net->queue) {
        struct uno_inside_item *item = net->queue;
        net->queue = item->next;
        if (item->what != SENT) {
            uno_inside_leave(item);
            if (item->other)
                item->other->other = NULL;
        }
        free(item);
    }
    pthread_mutex_unlock(&uno_inside.lock);
    while (net->links) {
        struct uno_inside_link *link = net->links;
        net->links = link->next;
        free(link);
    }
    while (net->exposed) {
        struct uno_inside_memory *exposed = net->exposed;
        net->exposed = exposed->next;
        free(exposed);
    }
    close(net->timer);
    free(net);
}

static size_t address(struct uno_net *net, char text[UNO_NET_ADDRESS]) {
    memcpy(text, &net->number, sizeof net->number);
    return sizeof net->number;
}

static const char *describe(const struct uno_net *net) {
    (void)net;
    return "within one process";
}

static int name_peer(struct uno_net *net, const char *text, size_t bytes, uint64_t *peer) {
    (void)net;
    if (bytes != sizeof *peer)
        return -EINVAL;
    memcpy(peer, text, sizeof *peer);
    return 0;
}

/* ---- sends and writes --------------------------------------------------------------------------------- */

static size_t least(const struct uno_net *net) {
    (void)net;
    return LEAST;
}

/* Return true if there is no room for a packet or a write, or chance says so. */
static bool is_refused(struct uno_net *net, struct uno_inside_link *link) {
    int room = uno_inside.rules.room ? uno_inside.rules.room : ROOM;
    return link->under_way >= room || uno_inside_draw(net, link, 1000) < (uint64_t)uno_inside.rules.refused;
}

/* Put a packet or a write into the network, and the end of its send; both are under way until then. */
static int put_item(struct uno_net *net, struct uno_inside_link *link, struct uno_net *to,
                    struct uno_inside_item *item, struct uno_inside_item *sent) {
    if (to && !link->is_cut) {
        uint64_t begin = uno_inside_now(), due = uno_inside_draw_due(net, link);
        link->last = item->due = due < link->last ? link->last : due;
        link->under_way++;
        if (sent) {
            sent->due = begin + uno_inside_draw(net, link, item->due - begin + 1);
            sent->other = item;
            item->other = sent;
            uno_inside_put(net, sent);
        } else {
            uno_inside_gather(item);
        }
        uno_inside_put(to, item);
        return 0;
    }
    free(item);
    if (!sent && !(sent = uno_inside_item(0)))
        return -ENOMEM;
    sent->what = SENT;
    sent->due = uno_inside_now();
    sent->failure = link->is_cut ? "the link is cut" : "the endpoint is closed";
    uno_inside_put(net, sent);
    return 0;
}

/* Send what the item says, which this frees if it cannot be done. item: NULL: there is no memory. */
static int send_item(struct uno_net *net, uint64_t peer, struct uno_inside_item *item, void *context) {
    struct uno_inside_item *sent = context ? uno_inside_item(0) : NULL;
    pthread_mutex_lock(&uno_inside.lock);
    struct uno_inside_link *link = uno_inside_link_to(net, peer);
    int result = !item || (context && !sent) || !link ? -ENOMEM : is_refused(net, link) ? -EAGAIN : 0;
    if (!result) {
        item->from = net->number;
        item->to = peer;
        if (sent) {
            sent->what = SENT;
            sent->context = context;
        }
        result = put_item(net, link, uno_inside_find(peer), item, sent);
    } else {
        free(item);
        free(sent);
    }
    pthread_mutex_unlock(&uno_inside.lock);
    return result;
}

static int send_packet(struct uno_net *net, uint64_t peer, const struct iovec *parts, int count,
                       void *context) {
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += parts[i].iov_len;
    if (count < 1 || count > UNO_NET_PARTS || bytes > (context ? net->packet : LEAST))
        return -EMSGSIZE;
    struct uno_inside_item *packet = uno_inside_item(bytes);
    if (packet) {
        packet->what = PACKET;
        packet->bytes = bytes;
        packet->count = count;
        memcpy(packet->parts, parts, (size_t)count * sizeof *parts);
    }
    return send_item(net, peer, packet, context);
}

static int expose(struct uno_net *net, void *memory, size_t bytes, struct uno_net_key *key, void **exposed) {
    struct uno_inside_memory *new = malloc(sizeof *new);
    if (!new)
        return -ENOMEM;
    pthread_mutex_lock(&uno_inside.lock);
    *new = (struct uno_inside_memory){
        .next = net->exposed, .key = ++net->keys, .memory = memory, .bytes = bytes};
    net->exposed = new;
    pthread_mutex_unlock(&uno_inside.lock);
    *key = (struct uno_net_key){.key = new->key};
    *exposed = new;
    return 0;
}

static void hide(struct uno_net *net, void *exposed) {
    pthread_mutex_lock(&uno_inside.lock);
    struct uno_inside_memory **place = &net->exposed;
    while (*place != exposed)
        place = &(*place)->next;
    *place = (*place)->next;
    pthread_mutex_unlock(&uno_inside.lock);
    free(exposed);
}

static int write_memory(struct uno_net *net, uint64_t peer, const struct uno_net_key *key, size_t at,
                        const void *data, size_t bytes, void *context) {
    struct uno_inside_item *item = uno_inside_item(bytes);
    if (item) {
        item->what = WRITE;
        item->bytes = bytes;
        item->count = 1;
        item->parts[0] = (struct iovec){(void *)(uintptr_t)data, bytes};
        item->key = *key;
        item->at = at;
    }
    return send_item(net, peer, item, context);
}

/* Copy what has come to the memory that it is for. What nobody may write to any more is lost. */
static void copy_write(struct uno_net *net, const struct uno_inside_item *item) {
    struct uno_inside_memory *exposed = net->exposed;
    while (exposed && exposed->key != item->key.key)
        exposed = exposed->next;
    if (exposed && item->at <= exposed->bytes && item->bytes <= exposed->bytes - item->at)
        memcpy(exposed->memory + item->at, item->data, item->bytes);
}

/* ---- events ------------------------------------------------------------------------------------------- */

/* Turn an item, which is in no queue any more, into the event that it is. Returns false if the caller sees
 * none. */
static bool show(struct uno_net *net, struct uno_inside_item *item, struct uno_net_event *event) {
    if (item->what != SENT) {
        uno_inside_gather(item);
        uno_inside_leave(item);
    }
    if (item->what == PACKET) {
        net->kept++;
        *event = (struct uno_net_event){
            .what = UNO_NET_ARRIVED, .data = (const char *)item->data, .bytes = item->bytes, .packet = item};
        return true;
    }
    bool is_end = item->what == SENT;
    if (is_end) {
        if (item->other)
            uno_inside_gather(item->other);
        *event = (struct uno_net_event){.what = item->failure ? UNO_NET_FAILED : UNO_NET_DONE,
                                        .context = item->context,
                                        .error = item->failure ? -ECONNRESET : 0,
                                        .text = item->failure};
    } else {
        copy_write(net, item);
    }
    free(item);
    return is_end;
}

static bool next_event(struct uno_net *net, struct uno_net_event *event) {
    bool is_due, is_event = false;
    pthread_mutex_lock(&uno_inside.lock);
    do {
        struct uno_inside_item **place = uno_inside_first(net), *item = *place;
        is_due = item && item->due <= uno_inside_now();
        if (is_due) {
            *place = item->next;
            is_event = show(net, item, event);
        }
    } while (is_due && !is_event);
    pthread_mutex_unlock(&uno_inside.lock);
    return is_event;
}

static void release(struct uno_net *net, void *packet) {
    pthread_mutex_lock(&uno_inside.lock);
    net->kept--;
    pthread_mutex_unlock(&uno_inside.lock);
    free(packet);
}

static int descriptor(const struct uno_net *net) {
    return net->timer;
}

static bool may_sleep(struct uno_net *net) {
    pthread_mutex_lock(&uno_inside.lock);
    struct uno_inside_item *first = *uno_inside_first(net);
    bool may = !first || first->due > uno_inside_now();
    if (may)
        uno_inside_arm(net);
    pthread_mutex_unlock(&uno_inside.lock);
    return may;
}

const struct uno_net_kind uno_net_inside = {
    .name = "inside",
    .open = open_inside,
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
    .close = close_inside,
};

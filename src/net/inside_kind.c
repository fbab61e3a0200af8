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

/* The packets that it has sent are brought into memory of their own, so that nothing keeps it. */
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
            if (item->what == PACKET && item->from == net->number)
                uno_inside_gather(item);
    while (net->queue) {
        struct uno_inside_item *item = net->queue;
        net->queue = item->next;
        if (item->what == PACKET) {
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

/* ---- sends and reads ---------------------------------------------------------------------------------- */

static size_t least(const struct uno_net *net) {
    (void)net;
    return LEAST;
}

/* Return true if there is no room for a packet or a read, or chance says so. */
static bool is_refused(struct uno_net *net, struct uno_inside_link *link) {
    int room = uno_inside.rules.room ? uno_inside.rules.room : ROOM;
    return link->under_way >= room || uno_inside_draw(net, link, 1000) < (uint64_t)uno_inside.rules.refused;
}

/* Put a packet into the network, and the end of its send; both are under way until then. */
static int put_packet(struct uno_net *net, struct uno_inside_link *link, struct uno_net *to,
                      struct uno_inside_item *packet, struct uno_inside_item *sent) {
    if (to && !link->is_cut) {
        uint64_t begin = uno_inside_now(), due = uno_inside_draw_due(net, link);
        link->last = packet->due = due < link->last ? link->last : due;
        link->under_way++;
        if (sent) {
            sent->due = begin + uno_inside_draw(net, link, packet->due - begin + 1);
            sent->other = packet;
            packet->other = sent;
            uno_inside_put(net, sent);
        } else {
            uno_inside_gather(packet);
        }
        uno_inside_put(to, packet);
        return 0;
    }
    free(packet);
    if (!sent && !(sent = uno_inside_item(0)))
        return -ENOMEM;
    sent->what = SENT;
    sent->due = uno_inside_now();
    sent->failure = link->is_cut ? "the link is cut" : "the endpoint is closed";
    uno_inside_put(net, sent);
    return 0;
}

static int send_packet(struct uno_net *net, uint64_t peer, const struct iovec *parts, int count,
                       void *context) {
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += parts[i].iov_len;
    if (count < 1 || count > UNO_NET_PARTS || bytes > (context ? net->packet : LEAST))
        return -EMSGSIZE;
    struct uno_inside_item *packet = uno_inside_item(bytes), *sent = context ? uno_inside_item(0) : NULL;
    pthread_mutex_lock(&uno_inside.lock);
    struct uno_inside_link *link = uno_inside_link_to(net, peer);
    int result = !packet || (context && !sent) || !link ? -ENOMEM : is_refused(net, link) ? -EAGAIN : 0;
    if (!result) {
        packet->what = PACKET;
        packet->bytes = bytes;
        packet->count = count;
        packet->from = net->number;
        packet->to = peer;
        memcpy(packet->parts, parts, (size_t)count * sizeof *parts);
        if (sent) {
            sent->what = SENT;
            sent->context = context;
        }
        result = put_packet(net, link, uno_inside_find(peer), packet, sent);
    } else {
        free(packet);
        free(sent);
    }
    pthread_mutex_unlock(&uno_inside.lock);
    return result;
}

static int expose(struct uno_net *net, const void *memory, size_t bytes, struct uno_net_key *key,
                  void **exposed) {
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

static int read_memory(struct uno_net *net, uint64_t peer, const struct uno_net_key *key, size_t from,
                       void *into, size_t bytes, void *context) {
    struct uno_inside_item *item = uno_inside_item(0);
    pthread_mutex_lock(&uno_inside.lock);
    struct uno_inside_link *link = uno_inside_link_to(net, peer);
    int result = !item || !link ? -ENOMEM : is_refused(net, link) ? -EAGAIN : 0;
    if (!result) {
        *item = (struct uno_inside_item){.due = uno_inside_draw_due(net, link),
                                         .what = READ,
                                         .failure = link->is_cut ? "the link is cut" : NULL,
                                         .context = context,
                                         .to = peer,
                                         .key = *key,
                                         .at = from,
                                         .into = into,
                                         .bytes = bytes};
        uno_inside_put(net, item);
    } else {
        free(item);
    }
    pthread_mutex_unlock(&uno_inside.lock);
    return result;
}

/* Copy what is read. Returns NULL, or why that cannot be done. */
static const char *copy_read(const struct uno_inside_item *item) {
    struct uno_net *from = uno_inside_find(item->to);
    struct uno_inside_memory *exposed = from ? from->exposed : NULL;
    while (exposed && exposed->key != item->key.key)
        exposed = exposed->next;
    if (!exposed || item->at > exposed->bytes || item->bytes > exposed->bytes - item->at)
        return "no such memory is exposed";
    memcpy(item->into, exposed->memory + item->at, item->bytes);
    return NULL;
}

/* ---- events ------------------------------------------------------------------------------------------- */

/* Turn an item, which is in no queue any more, into the event that it is. */
static void show(struct uno_net *net, struct uno_inside_item *item, struct uno_net_event *event) {
    if (item->what == PACKET) {
        uno_inside_gather(item);
        uno_inside_leave(item);
        net->kept++;
        *event = (struct uno_net_event){
            .what = UNO_NET_ARRIVED, .data = (const char *)item->data, .bytes = item->bytes, .packet = item};
        return;
    }
    if (item->what == READ && !item->failure)
        item->failure = copy_read(item);
    if (item->what == SENT && item->other)
        uno_inside_gather(item->other);
    *event = (struct uno_net_event){.what = item->failure ? UNO_NET_FAILED : UNO_NET_DONE,
                                    .context = item->context,
                                    .error = item->failure ? -ECONNRESET : 0,
                                    .text = item->failure};
    free(item);
}

static bool next_event(struct uno_net *net, struct uno_net_event *event) {
    pthread_mutex_lock(&uno_inside.lock);
    struct uno_inside_item **place = uno_inside_first(net), *item = *place;
    bool is_due = item && item->due <= uno_inside_now();
    if (is_due) {
        *place = item->next;
        show(net, item, event);
    }
    pthread_mutex_unlock(&uno_inside.lock);
    return is_due;
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
    .read = read_memory,
    .poll = next_event,
    .release = release,
    .descriptor = descriptor,
    .may_sleep = may_sleep,
    .close = close_inside,
};

/* Time, chance, queues, and what tests do to them. */

#define _GNU_SOURCE /* for timerfd */
#include "inside_queue.h"

#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>

struct uno_inside uno_inside = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- time and chance ---------------------------------------------------------------------------------- */

static uint64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t uno_inside_now(void) {
    return uno_inside.rules.by_hand ? uno_inside.time : clock_now();
}

/* One step of splitmix64 (Steele, Lea, Flood, 2014). */
static uint64_t mix(uint64_t z) {
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t uno_inside_draw(const struct uno_net *net, struct uno_inside_link *link, uint64_t n) {
    uint64_t z = mix(mix(mix(uno_inside.rules.seed) ^ net->number) ^ link->to) ^ link->draws++;
    return n ? mix(z) % n : 0;
}

uint64_t uno_inside_draw_due(const struct uno_net *net, struct uno_inside_link *link) {
    const struct uno_inside_rules *rules = &uno_inside.rules;
    return uno_inside_now() + rules->least + uno_inside_draw(net, link, rules->most - rules->least + 1);
}

/* ---- endpoints, links and queues ---------------------------------------------------------------------- */

struct uno_net *uno_inside_find(uint64_t number) {
    struct uno_net *net = uno_inside.first;
    while (net && net->number != number)
        net = net->next;
    return net;
}

struct uno_inside_link *uno_inside_link_to(struct uno_net *net, uint64_t to) {
    struct uno_inside_link *link = net->links;
    while (link && link->to != to)
        link = link->next;
    if (!link && (link = calloc(1, sizeof *link))) {
        *link = (struct uno_inside_link){.next = net->links, .to = to};
        net->links = link;
    }
    return link;
}

struct uno_inside_item **uno_inside_first(struct uno_net *net) {
    struct uno_inside_item **place = &net->queue;
    while (*place && (*place)->what == PACKET && net->kept >= net->packets)
        place = &(*place)->next;
    return place;
}

void uno_inside_arm(struct uno_net *net) {
    struct uno_inside_item *first = *uno_inside_first(net);
    uint64_t due = first ? first->due : UINT64_MAX;
    if (uno_inside.rules.by_hand && due != UINT64_MAX)
        due = due <= uno_inside_now() ? 1 : UINT64_MAX;
    struct itimerspec spec = {.it_value = {0}};
    if (due != UINT64_MAX)
        spec.it_value =
            (struct timespec){.tv_sec = (time_t)(due / 1000000000), .tv_nsec = (long)(due % 1000000000)};
    timerfd_settime(net->timer, TFD_TIMER_ABSTIME, &spec, NULL);
    net->armed = due;
}

void uno_inside_put(struct uno_net *net, struct uno_inside_item *item) {
    struct uno_inside_item **place = &net->queue;
    while (*place && (*place)->due <= item->due)
        place = &(*place)->next;
    item->next = *place;
    *place = item;
    if (item->due < net->armed)
        uno_inside_arm(net);
}

void uno_inside_gather(struct uno_inside_item *packet) {
    char *to = (char *)packet->data;
    for (int i = 0; i < packet->count; i++) {
        memcpy(to, packet->parts[i].iov_base, packet->parts[i].iov_len);
        to += packet->parts[i].iov_len;
    }
    packet->count = 0;
    if (packet->other)
        packet->other->other = NULL;
    packet->other = NULL;
}

void uno_inside_leave(const struct uno_inside_item *packet) {
    struct uno_net *from = uno_inside_find(packet->from);
    if (from)
        for (struct uno_inside_link *link = from->links; link; link = link->next)
            link->under_way -= link->to == packet->to;
}

struct uno_inside_item *uno_inside_item(size_t bytes) {
    return calloc(1, sizeof(struct uno_inside_item) + bytes);
}

/* ---- for tests ---------------------------------------------------------------------------------------- */

void uno_inside_rule(const struct uno_inside_rules *rules) {
    pthread_mutex_lock(&uno_inside.lock);
    if (rules->by_hand && !uno_inside.rules.by_hand)
        uno_inside.time = clock_now();
    uno_inside.rules = *rules;
    for (struct uno_net *net = uno_inside.first; net; net = net->next)
        uno_inside_arm(net);
    pthread_mutex_unlock(&uno_inside.lock);
}

/* Lose what is on the way from one endpoint to another. */
static void lose(struct uno_net *from, struct uno_net *to) {
    struct uno_inside_link *link = uno_inside_link_to(from, to->number);
    if (link)
        link->is_cut = true;
    for (struct uno_inside_item **place = &to->queue; *place;) {
        struct uno_inside_item *item = *place, *sent = item->other;
        if (item->what == SENT || item->from != from->number) {
            place = &item->next;
            continue;
        }
        *place = item->next;
        uno_inside_leave(item);
        if (!sent && (sent = uno_inside_item(0))) {
            *sent = (struct uno_inside_item){.what = SENT, .due = uno_inside_now()};
            uno_inside_put(from, sent);
        }
        if (sent) {
            sent->other = NULL;
            sent->failure = "the link is cut";
        }
        free(item);
    }
}

void uno_inside_cut(struct uno_net *a, struct uno_net *b) {
    pthread_mutex_lock(&uno_inside.lock);
    lose(a, b);
    lose(b, a);
    pthread_mutex_unlock(&uno_inside.lock);
}

void uno_inside_advance(uint64_t ns) {
    pthread_mutex_lock(&uno_inside.lock);
    uno_inside.time += ns;
    for (struct uno_net *net = uno_inside.first; net; net = net->next)
        uno_inside_arm(net);
    pthread_mutex_unlock(&uno_inside.lock);
}

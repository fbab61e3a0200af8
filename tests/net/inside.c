/* The network within one process, by one thread: its rules, and links that are cut. */

#include "checks.h"

#include "net/inside.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define KIND (&uno_net_inside)

enum { STREAM = 40 };

static struct uno_net *open_one(int packets) {
    char error[UNO_NET_ERROR];
    struct uno_net *net = KIND->open(&(struct uno_net_wishes){.packet = 1000, .packets = packets}, error);
    if (!net)
        fail("%s", error);
    return net;
}

static uint64_t peer_of(struct uno_net *net, struct uno_net *other) {
    char address[UNO_NET_ADDRESS];
    uint64_t peer;
    CHECK(KIND->name_peer(net, address, KIND->address(other, address), &peer) == 0);
    return peer;
}

static int send_number(struct uno_net *net, struct uno_net *to, uint64_t number, void *context) {
    return KIND->send(net, peer_of(net, to), &(struct iovec){&number, sizeof number}, 1, context);
}

/* Return the next number; UINT64_MAX: nothing has come. */
static uint64_t next_number(struct uno_net *net, void **packet) {
    struct uno_net_event event;
    uint64_t number;
    if (!KIND->poll(net, &event))
        return UINT64_MAX;
    CHECK(event.what == UNO_NET_ARRIVED && event.bytes == sizeof number);
    memcpy(&number, event.data, sizeof number);
    if (packet)
        *packet = event.packet;
    else
        KIND->release(net, event.packet);
    return number;
}

static bool is_readable(struct uno_net *net) {
    return poll(&(struct pollfd){.fd = KIND->descriptor(net), .events = POLLIN}, 1, 0) == 1;
}

/* A packet comes when its time has passed, and the descriptor tells of it. */
static void check_time(void) {
    struct uno_net *a = open_one(4), *b = open_one(4);
    uno_inside_rule(&(struct uno_inside_rules){.least = 1000, .most = 1000, .by_hand = true});
    CHECK(KIND->may_sleep(b) && !is_readable(b));
    CHECK(send_number(a, b, 5, NULL) == 0);
    CHECK(next_number(b, NULL) == UINT64_MAX && KIND->may_sleep(b));
    uno_inside_advance(999);
    CHECK(next_number(b, NULL) == UINT64_MAX && KIND->may_sleep(b) && !is_readable(b));
    uno_inside_advance(1);
    CHECK(is_readable(b) && !KIND->may_sleep(b));
    CHECK(next_number(b, NULL) == 5);
    CHECK(KIND->may_sleep(b) && !is_readable(b));
    KIND->close(a);
    KIND->close(b);
}

/* Two endpoints send to a third one: the order in which packets come is the same with the same seed. */
static void record(uint64_t seed, uint64_t order[2 * STREAM]) {
    struct uno_net *from[2] = {open_one(4), open_one(4)}, *to = open_one(4);
    uno_inside_rule(&(struct uno_inside_rules){.seed = seed, .most = 100000, .by_hand = true});
    for (uint64_t i = 0; i < 2 * STREAM; i++) {
        CHECK(send_number(from[i % 2], to, i, NULL) == 0);
        uno_inside_advance(1000);
    }
    uno_inside_advance(100000);
    uint64_t last[2] = {0};
    for (int i = 0; i < 2 * STREAM; i++) {
        order[i] = next_number(to, NULL);
        CHECK(order[i] < 2 * STREAM && order[i] >= last[order[i] % 2]);
        last[order[i] % 2] = order[i] + 1;
    }
    KIND->close(from[0]);
    KIND->close(from[1]);
    KIND->close(to);
}

static void check_seed(void) {
    uint64_t one[2 * STREAM], again[2 * STREAM], other[2 * STREAM];
    record(1, one);
    record(1, again);
    record(2, other);
    CHECK(memcmp(one, again, sizeof one) == 0);
    CHECK(memcmp(one, other, sizeof one) != 0);
    int late = 0;
    for (int i = 1; i < 2 * STREAM; i++)
        late += one[i] < one[i - 1];
    CHECK(late > 5); /* packets of different endpoints overtake each other */
}

/* A link has room for so many packets, and the caller keeps so many. */
static void check_room(void) {
    struct uno_net *a = open_one(4), *b = open_one(2);
    void *packets[2];
    uno_inside_rule(&(struct uno_inside_rules){.room = 3, .by_hand = true});
    for (uint64_t i = 0; i < 3; i++)
        CHECK(send_number(a, b, i, NULL) == 0);
    CHECK(send_number(a, b, 3, NULL) == -EAGAIN);
    CHECK(next_number(b, &packets[0]) == 0 && send_number(a, b, 3, NULL) == 0);
    CHECK(next_number(b, &packets[1]) == 1 && next_number(b, NULL) == UINT64_MAX && KIND->may_sleep(b));
    KIND->release(b, packets[0]);
    CHECK(!KIND->may_sleep(b) && next_number(b, NULL) == 2 && next_number(b, NULL) == 3);
    KIND->release(b, packets[1]);
    int refused = 0;
    uno_inside_rule(&(struct uno_inside_rules){.refused = 500, .by_hand = true});
    for (int i = 0; i < 100; i++) {
        bool is_refused = send_number(a, b, 9, NULL) == -EAGAIN;
        refused += is_refused;
        CHECK(next_number(b, NULL) == (is_refused ? UINT64_MAX : 9));
    }
    CHECK(refused > 20 && refused < 80);
    KIND->close(a);
    KIND->close(b);
}

void check_rules(struct company *company) {
    (void)company;
    check_time();
    check_seed();
    check_room();
    uno_inside_rule(&(struct uno_inside_rules){0});
}

/* See all events of an endpoint: sends and reads by their contexts, and packets lost or come. */
static void see(struct uno_net *net, int *failed, int *lost, int *done, int *come) {
    struct uno_net_event event;
    *failed = *lost = *done = *come = 0;
    while (KIND->poll(net, &event)) {
        *come += event.what == UNO_NET_ARRIVED;
        *done += event.what == UNO_NET_DONE;
        *failed += event.what == UNO_NET_FAILED && event.context;
        *lost += event.what == UNO_NET_FAILED && !event.context;
        CHECK(event.what != UNO_NET_FAILED || (event.error < 0 && event.text));
        if (event.what == UNO_NET_ARRIVED)
            KIND->release(net, event.packet);
    }
}

void check_cut(struct company *company) {
    (void)company;
    struct uno_net *a = open_one(4), *b = open_one(4), *c = open_one(4);
    uno_inside_rule(&(struct uno_inside_rules){.least = 1000, .most = 1000, .by_hand = true});
    char memory[8] = "memory", data[8] = "data";
    uint64_t number = 7;
    struct iovec packet = {&number, sizeof number};
    struct uno_net_key key;
    void *exposed;
    int failed, lost, done, come;
    CHECK(KIND->expose(b, memory, sizeof memory, &key, &exposed) == 0);
    CHECK(KIND->send(a, peer_of(a, b), &packet, 1, &packet) == 0);
    CHECK(send_number(a, b, 1, NULL) == 0);
    CHECK(send_number(a, c, 2, NULL) == 0);
    CHECK(KIND->write(a, peer_of(a, b), &key, 0, data, sizeof data, data) == 0);
    uno_inside_cut(a, b);
    uno_inside_advance(1000);
    see(b, &failed, &lost, &done, &come);
    CHECK(!failed && !lost && !done && !come);
    see(c, &failed, &lost, &done, &come);
    CHECK(come == 1);
    see(a, &failed, &lost, &done, &come);
    CHECK(failed == 2 && lost == 1 && !done && !come && memory[0] == 'm');
    CHECK(KIND->send(b, peer_of(b, a), &packet, 1, &packet) == 0);
    CHECK(send_number(c, b, 3, NULL) == 0);
    uno_inside_advance(1000);
    see(b, &failed, &lost, &done, &come);
    CHECK(failed == 1 && !lost && come == 1);
    KIND->hide(b, exposed);
    KIND->close(a);
    KIND->close(b);
    KIND->close(c);
    uno_inside_rule(&(struct uno_inside_rules){0});
}

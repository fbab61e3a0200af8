// An operation between nodes in SimGrid: every leader is an actor that follows its schedule, message by
// message.
//
//     schedule-simgrid LINKS OP SCHEDULE NODES PER_NODE TYPE HEADER LATENCY OVERHEAD GAP PER_BYTE
//
// It writes the messages, and the time until the last leader has all values, in us, which are SimGrid's
// seconds here. PER_BYTE is in ns, more than 0, and GAP is at most LATENCY.
//
// Each node has a link of its own to a switch that holds nothing up. SimGrid has no gap, so each message is
// longer by what the link carries in a gap, and the link's latency is shorter by the gap. LINKS is "in-turn":
// a node's interface is a second actor, which starts a message when the one before has left; or "shared": it
// starts each at once, and SimGrid lets them share the link.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

extern "C" {
#include "model/schedule_model.h"
}

namespace sg = simgrid::s4u;

struct world {
    uno_schedule_case c;
    uno_schedule_way way;
    uno_loggp net;
    bool in_turn;
    int nodes, messages;
    long sent;
    double end;
};

// A message that a leader has handed to its interface.
struct outgoing {
    int to, k;
};

struct node {
    std::deque<outgoing> queue;
    sg::SemaphorePtr queued = sg::Semaphore::create(0);
};

[[noreturn]] static void fail(const char *text) {
    fprintf(stderr, "schedule-simgrid: %s\n", text);
    exit(1);
}

static sg::Mailbox *mailbox(int rank) {
    return sg::Mailbox::by_name(std::to_string(rank));
}

static void interface(const world *w, node *n, int rank) {
    uno_schedule schedule = uno_schedule_of(w->way, w->nodes, rank);
    for (int sent = 0; sent < w->messages; sent++) {
        n->queued->acquire();
        outgoing out = n->queue.front();
        n->queue.pop_front();
        double busy =
            w->net.gap + (double)(uno_schedule_bytes(&w->c, &schedule, out.k) - 1) * w->net.per_byte;
        mailbox(out.to)->put_init(new int(out.k), (uint64_t)(busy / w->net.per_byte + 0.5))->detach();
        if (w->in_turn)
            sg::this_actor::sleep_for(busy);
    }
}

// The values that a leader has, of which each may come once.
class values {
    std::vector<bool> has;

  public:
    values(int nodes, int rank) : has((size_t)nodes) {
        has[(size_t)rank] = true;
    }
    void check(int first, int count) const {
        for (int i = 0; i < count; i++)
            if (!has[((size_t)first + (size_t)i) % has.size()])
                fail("a value is not there yet that is to be sent");
    }
    void add(int first, int count) {
        for (int i = 0; i < count; i++) {
            auto value = has[((size_t)first + (size_t)i) % has.size()];
            if (value)
                fail("a value has come twice");
            value = true;
        }
    }
};

static void leader(world *w, node *n, int rank) {
    uno_schedule schedule = uno_schedule_of(w->way, w->nodes, rank);
    std::vector<bool> sent((size_t)w->messages), has((size_t)w->messages);
    values mine(w->nodes, rank);
    int first = 0, in_order = 0; // the first that is not sent; so many have come without one missing
    for (int got = 0; got < w->messages;) {
        int k = first;
        while (k < w->messages && (sent[(size_t)k] || uno_schedule_at(&schedule, k).after > in_order))
            k++;
        if (k < w->messages) {
            uno_schedule_message m = uno_schedule_at(&schedule, k);
            mine.check(m.sent, m.count);
            sg::this_actor::sleep_for(w->net.overhead);
            n->queue.push_back({m.to, k});
            n->queued->release();
            sent[(size_t)k] = true;
            w->sent++;
            while (first < w->messages && sent[(size_t)first])
                first++;
            continue;
        }
        auto came = mailbox(rank)->get_unique<int>();
        sg::this_actor::sleep_for(w->net.overhead);
        uno_schedule_message m = uno_schedule_at(&schedule, *came);
        mine.add(m.received, m.count);
        has[(size_t)*came] = true;
        while (in_order < w->messages && has[(size_t)in_order])
            in_order++;
        got++;
    }
    mine.check(0, w->nodes);
    w->end = std::max(w->end, sg::Engine::get_clock());
}

static void build(world &w, std::vector<node> &nodes) {
    sg::NetZone *zone = sg::create_star_zone("nodes");
    for (int rank = 0; rank < w.nodes; rank++) {
        std::string name = std::to_string(rank);
        sg::Host *host = zone->create_host(name, 1)->seal();
        const sg::Link *link = zone->create_split_duplex_link("link-" + name, 1 / w.net.per_byte)
                                   ->set_latency((w.net.latency - w.net.gap) / 2)
                                   ->seal();
        zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr,
                        {{link, sg::LinkInRoute::Direction::UP}}, true);
        mailbox(rank)->set_receiver(
            sg::Actor::create("leader-" + name, host, leader, &w, &nodes[(size_t)rank], rank));
        sg::Actor::create("interface-" + name, host, interface, &w, &nodes[(size_t)rank], rank);
    }
    zone->seal();
}

static bool read(world &w, char **word) {
    int op = 0, way = 0;
    while (op < UNO_SCHEDULE_OPS && strcmp(word[2], uno_schedule_ops[op].name) != 0)
        op++;
    while (way < UNO_SCHEDULE_WAYS && strcmp(word[3], uno_schedule_names[way]) != 0)
        way++;
    if (op == UNO_SCHEDULE_OPS || way == UNO_SCHEDULE_WAYS)
        return false;
    w.nodes = atoi(word[4]);
    w.c = {&uno_schedule_ops[op], w.nodes * atoi(word[5]), atoi(word[5]), atoi(word[6]), atoi(word[7])};
    w.way = (uno_schedule_way)way;
    w.in_turn = strcmp(word[1], "in-turn") == 0;
    w.net = {atof(word[8]), atof(word[9]), atof(word[10]), atof(word[11]) / 1e3};
    w.messages = uno_schedule_of(w.way, w.nodes, 0).messages;
    return uno_schedule_is_for(&w.c, w.way) && w.nodes > 1 && w.net.per_byte > 0 &&
           w.net.gap <= w.net.latency;
}

int main(int argc, char **argv) {
    xbt_log_control_set("xbt_cfg.thresh:warning");
    sg::Engine engine(&argc, argv);
    // Nothing that models TCP; fine steps of time; small stacks, since actors are many.
    for (const char *item :
         {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0", "network/latency-factor:1",
          "network/bandwidth-factor:1", "network/weight-S:0", "contexts/stack-size:64"})
        sg::Engine::set_config(item);
    world w = {};
    if (argc != 12 || !read(w, argv)) {
        fprintf(stderr, "usage: schedule-simgrid in-turn|shared OP SCHEDULE NODES PER_NODE TYPE HEADER "
                        "LATENCY OVERHEAD GAP PER_BYTE\n");
        return 2;
    }
    std::vector<node> nodes((size_t)w.nodes);
    build(w, nodes);
    engine.run();
    if (w.sent != (long)w.nodes * w.messages)
        fail("some messages were not sent");
    printf("{\"messages\": %ld, \"us\": %.6f}\n", w.sent, w.end);
    return 0;
}

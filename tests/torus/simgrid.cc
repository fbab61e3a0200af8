// The model against SimGrid, which shares nothing with it: how long each phase takes where transfers share
// links fairly.
//
//     torus-simgrid own SIDES PES    SimGrid's own torus and routes; odd sides, so that there are no ties to
//     decide torus-simgrid unphased ...     the same machines, without phases torus-simgrid paper the machine
//     of Table 1, with its wrong routes, for some of the phases
//
// Exit status: 0 passed, 1 failed.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

extern "C" {
#include "torus/names.h"
#include "torus/rates.h"
}
#include "rng.h"

namespace sg = simgrid::s4u;

static const double MB = 1e6;
static int failures;

struct world {
    uno_torus torus;
    std::vector<sg::Host *> node;
    int step;                  // every so many phases are simulated
    std::vector<double> ended; // without phases: when each transfer did
};

// ---- platforms: a host for each node, and a link for each direction

static double bandwidth(const uno_torus &t) {
    return t.link * t.payload * MB;
}

static sg::Host *host(sg::NetZone *zone, unsigned long id) {
    return zone->create_host("node-" + std::to_string(id), 1e9)->seal();
}

static void own_platform(world &w) {
    std::vector<unsigned long> sides(w.torus.side, w.torus.side + w.torus.dimensions);
    w.node.resize((size_t)uno_torus_nodes(&w.torus));
    sg::ClusterCallbacks callbacks(
        [&w](sg::NetZone *zone, const std::vector<unsigned long> &, unsigned long id) {
            w.node[id] = host(zone, id);
            return std::make_pair(w.node[id]->get_netpoint(), (simgrid::kernel::routing::NetPoint *)nullptr);
        });
    sg::create_torus_zone("torus", nullptr, sides, callbacks, bandwidth(w.torus), 0,
                          sg::Link::SharingPolicy::SPLITDUPLEX)
        ->seal();
}

static void paper_platform(world &w) {
    sg::NetZone *zone = sg::create_full_zone("torus");
    std::vector<const sg::Link *> link;
    for (int i = 0; i < uno_torus_nodes(&w.torus); i++)
        w.node.push_back(host(zone, (unsigned long)i));
    for (int i = 0; i < uno_torus_links(&w.torus); i++)
        link.push_back(
            zone->create_link("link-" + std::to_string(i), bandwidth(w.torus))->set_latency(0)->seal());
    int links[UNO_TORUS_HOPS], nodes = uno_torus_nodes(&w.torus);
    for (int from = 0; from < nodes; from++)
        for (int to = 0; to < nodes; to++) {
            int hops = uno_torus_route(&w.torus, from, to, links);
            std::vector<sg::LinkInRoute> route;
            for (int i = 0; i < hops; i++)
                route.emplace_back(link[(size_t)links[i]]);
            if (from != to)
                zone->add_route(w.node[(size_t)from]->get_netpoint(), w.node[(size_t)to]->get_netpoint(),
                                nullptr, nullptr, route, false);
        }
    zone->seal();
}

// ---- the simulated network

static sg::Host *home(const world &w, int pe) {
    return w.node[(size_t)(pe / w.torus.pes)];
}

// The phases of all schedules, one by one, as one actor who starts all transfers of a phase and waits for
// them.
static void phases(world *w) {
    int pes = uno_torus_pes(&w->torus), compared = 0;
    for (int i = 0; i < uno_torus_schedule_count; i++) {
        const uno_torus_schedule *s = &uno_torus_schedules[i];
        uno_rates rates;
        if ((s->power_of_2 && pes & (pes - 1)) || !uno_torus_phased(&w->torus, s, &rates))
            continue;
        for (int phase = 0; phase < pes; phase += w->step) {
            std::vector<sg::CommPtr> all;
            double begin = sg::Engine::get_clock();
            for (int pe = 0; pe < pes; pe++)
                if (int to = s->to(&w->torus, phase, pe); home(*w, pe) != home(*w, to))
                    all.push_back(sg::Comm::sendto_async(home(*w, pe), home(*w, to), (uint64_t)MB));
            if (all.empty())
                continue;
            sg::Comm::wait_all(all);
            double rate = 1 / (sg::Engine::get_clock() - begin), model = rates.phase[phase].rate;
            compared++;
            if (std::fabs(rate / model - 1) > 1e-3) {
                failures++;
                printf("%s, phase %d: SimGrid %.3f MB/s, the model %.3f\n", s->name, phase, rate, model);
            }
        }
        uno_torus_release(&rates);
    }
    printf("%d phases compared\n", compared);
    failures += compared == 0;
}

// A PE that sends to all others in a random order, again and again; nothing within its node, which takes no
// time.
static void sender(world *w, int pe, int rounds) {
    int pes = uno_torus_pes(&w->torus);
    rng r = rng_for(1, (uint64_t)pe, 0, 0);
    std::vector<int> order;
    for (int i = 0; i < pes; i++)
        if (home(*w, pe) != home(*w, i))
            order.push_back(i);
    for (int round = 0; round < rounds; round++)
        for (int i = (int)order.size(); i > 0; i--) {
            std::swap(order[(size_t)(i - 1)], order[(size_t)rng_below(&r, i)]);
            sg::Comm::sendto(home(*w, pe), home(*w, order[(size_t)(i - 1)]), (uint64_t)MB);
            w->ended.push_back(sg::Engine::get_clock());
        }
}

// Compare the times without phases, from when a quarter of the transfers have ended until three quarters
// have. SimGrid shares better than the model: bandwidth that one transfer cannot use, because of another
// link, goes to the others.
static void compare_unphased(world &w) {
    size_t first = w.ended.size() / 4, last = w.ended.size() * 3 / 4;
    int pes = uno_torus_pes(&w.torus);
    double inside = (double)pes / (pes - w.torus.pes); // the model has those within a node, too
    double simgrid = (double)(last - first) / (w.ended[last] - w.ended[first]) / pes * inside;
    uno_rates rates;
    double model[2];
    for (int i = 0; i < 2; i++) {
        w.torus.others = (uno_torus_others)i;
        failures += !uno_torus_unphased(&w.torus, &rates);
        model[i] = rates.rate;
    }
    printf("unphased: SimGrid %.2f MB/s, the model %.2f with others kept, %.2f changing\n", simgrid,
           model[UNO_OTHERS_KEPT], model[UNO_OTHERS_CHANGING]);
    double changing = simgrid / model[UNO_OTHERS_CHANGING];
    failures += simgrid <= model[UNO_OTHERS_KEPT] || changing < 0.97 || changing > 1.15;
}

static int usage() {
    fprintf(stderr, "usage: torus-simgrid own SIDES PES | unphased SIDES PES | paper\n");
    return 1;
}

int main(int argc, char **argv) {
    sg::Engine engine(&argc, argv);
    // Fair shares, and nothing that models TCP.
    for (const char *item : {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
                             "network/latency-factor:1", "network/bandwidth-factor:1", "network/weight-S:0"})
        sg::Engine::set_config(item);
    std::string mode = argc > 1 ? argv[1] : "";
    world w = {uno_torus_t3d, {}, 1, {}};
    w.torus.cap = 1e9; // SimGrid's PEs have none
    if (mode == "paper" && argc == 2) {
        w.torus.distance = UNO_DISTANCE_ABSOLUTE;
        w.torus.corner = UNO_CORNER_REVERSED;
        w.step = 37;
        paper_platform(w);
    } else if ((mode == "own" || mode == "unphased") && argc == 4 &&
               uno_torus_read_sides(&w.torus, argv[2])) {
        w.torus.pes = atoi(argv[3]);
        w.torus.service_nodes = 0;
        own_platform(w);
    } else {
        return usage();
    }
    if (mode == "unphased")
        for (int pe = 0; pe < uno_torus_pes(&w.torus); pe++)
            sg::Actor::create("sender", home(w, pe), sender, &w, pe, 4);
    else
        sg::Actor::create("phases", w.node[0], phases, &w);
    engine.run();
    if (mode == "unphased")
        compare_unphased(w);
    return failures ? 1 : 0;
}

/* quiet SEED RUNS: the coordinator's search for a deadlock, on simulated nodes. PEs compute, send packets to
 * each other and wait for them, at random, until none can go on or all have left; packets, and the frames
 * between agents and coordinator, take their time. A deadlock must be found soon after it has come about, and
 * nothing else may be taken for one. In every second run a PE may leave a wait by itself, which no packet
 * shows. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/deadlock.h"
#include "launch/hosts/quiet.h"
#include "launch/phase.h"
#include "rng.h"

enum {
    PES = 6,
    NODES = 3,
    MOMENTS = 6000, /* of a run; */
    PACKET = 200,   /* the most that a packet takes, */
    FRAME = 20,     /* and a frame */
    LOOK = 25,      /* between two looks of an agent */
    FINDS_OUT = 50, /* until a PE finds out that one that it waits for has left */
    AWAY = 400, /* for which a PE at least computes that has left a wait by itself: longer than two looks */
    SOON = PACKET + 3 * LOOK + 8 * FRAME, /* from a deadlock to its report */
    IN_FLIGHT = 4096,
    INTERVAL = UNO_DEADLOCK_NS / LOOK, /* ns of a moment */
};

struct pe {
    enum { COMPUTES, WAITS, LEFT } state;
    int until;     /* it computes so long, or, if it is not 0, waits */
    int waits_for; /* UNO_WILD: any */
    int inbox[PES];
};

struct packet {
    int from, to, comes;
};

/* Frames on their way, each with the moment at which it comes. */
struct way {
    struct uno_link link;
    int comes[IN_FLIGHT], count;
};

struct node {
    uint64_t packets[PES];
    int next; /* look */
    enum uno_quiet_state told;
    bool over;
    struct way up, down;
};

struct world {
    struct rng chance;
    bool restless; /* PEs leave waits by themselves */
    int now, seat[PES], dead_since, asked;
    bool dead_when_asked;
    struct pe pe[PES];
    struct node node[NODES];
    struct packet packet[IN_FLIGHT];
    int packets;
    struct uno_coordinator c;
};

static int up_to(struct world *w, int most) {
    return 1 + rng_below(&w->chance, most);
}

/* ---- the PEs ----------------------------------------------------------------------------------------- */

static void compute(struct world *w, int k) {
    w->pe[k].state = COMPUTES;
    w->pe[k].until = w->now + up_to(w, 40);
}

/* Let PE k go on if what it waits for is there. */
static void look(struct world *w, int k) {
    struct pe *pe = &w->pe[k];
    for (int i = 0; i < PES && pe->state == WAITS; i++)
        if (pe->inbox[i] && (pe->waits_for == UNO_WILD || pe->waits_for == i)) {
            pe->inbox[i]--;
            compute(w, k);
        }
}

static void send_packet(struct world *w, int k) {
    int to = rng_below(&w->chance, PES);
    if (to == k)
        return;
    if (w->seat[to] == w->seat[k]) {
        w->pe[to].inbox[k]++;
        look(w, to);
        return;
    }
    int comes = w->now + up_to(w, PACKET);
    for (int i = 0; i < w->packets; i++) /* those of a pair come in their order */
        if (w->packet[i].from == k && w->packet[i].to == to && w->packet[i].comes > comes)
            comes = w->packet[i].comes;
    w->node[w->seat[k]].packets[to]++;
    w->packet[w->packets++] = (struct packet){k, to, comes};
}

static bool has_left(const struct world *w, int k) {
    int peer = w->pe[k].waits_for;
    if (peer != UNO_WILD)
        return w->pe[peer].state == LEFT;
    for (int i = 0; i < PES; i++)
        if (i != k && w->pe[i].state != LEFT)
            return false;
    return true;
}

/* PE k has computed: it sends something, and leaves, or waits. */
static void act(struct world *w, int k) {
    struct pe *pe = &w->pe[k];
    for (int i = rng_below(&w->chance, 4); i; i--)
        send_packet(w, k);
    if (rng_below(&w->chance, 60) == 0) {
        pe->state = LEFT;
        return;
    }
    pe->state = WAITS;
    pe->until = 0;
    pe->waits_for = rng_below(&w->chance, 3) ? rng_below(&w->chance, PES) : UNO_WILD;
    if (pe->waits_for == k)
        pe->waits_for = UNO_WILD;
    look(w, k);
}

static void step_pe(struct world *w, int k) {
    struct pe *pe = &w->pe[k];
    if (pe->state == COMPUTES && w->now >= pe->until) {
        act(w, k);
    } else if (pe->state == WAITS && has_left(w, k)) {
        if (!pe->until)
            pe->until = w->now + up_to(w, FINDS_OUT);
        if (w->now >= pe->until)
            compute(w, k);
    } else if (pe->state == WAITS && w->restless && w->now < MOMENTS / 2 && rng_below(&w->chance, 400) == 0) {
        compute(w, k);
        pe->until = w->now + AWAY;
    }
}

/* The packets that have come. Those that have to wait for a PE which has left are lost. */
static void step_packets(struct world *w) {
    int kept = 0;
    for (int i = 0; i < w->packets; i++) {
        struct packet packet = w->packet[i];
        if (packet.comes > w->now) {
            w->packet[kept++] = packet;
        } else if (w->pe[packet.to].state != LEFT) {
            w->node[w->seat[packet.to]].packets[packet.to]++;
            w->pe[packet.to].inbox[packet.from]++;
            look(w, packet.to);
        }
    }
    w->packets = kept;
}

/* Return true if no PE can ever go on by itself. */
static bool is_dead(const struct world *w) {
    bool any = false;
    for (int k = 0; k < PES; k++) {
        any |= w->pe[k].state == WAITS;
        if (w->pe[k].state == COMPUTES || (w->pe[k].state == WAITS && has_left(w, k)))
            return false;
    }
    for (int i = 0; i < w->packets; i++)
        if (w->pe[w->packet[i].to].state != LEFT)
            return false;
    return any;
}

/* ---- agents and coordinator -------------------------------------------------------------------------- */

/* Note when the frames come that were put into a link since the last call. */
static void post(struct world *w, struct way *way, int before) {
    if (way->link.going.end - way->link.going.start == (size_t)before)
        return;
    int comes = w->now + up_to(w, FRAME);
    if (way->count && way->comes[way->count - 1] > comes)
        comes = way->comes[way->count - 1];
    way->comes[way->count++] = comes;
}

static int waiting(const struct way *way) {
    return (int)(way->link.going.end - way->link.going.start);
}

/* Take in what has come by a way, all at once. Returns true if there is any. */
static bool come(struct world *w, struct way *way) {
    if (!way->count || way->comes[way->count - 1] > w->now)
        return false;
    way->count = 0;
    struct uno_bytes *going = &way->link.going;
    uno_bytes_add(&way->link.coming, going->data + going->start, going->end - going->start);
    going->start = going->end = 0;
    return true;
}

static void tell_facts(struct world *w, int i, uint64_t number, bool quiet) {
    struct node *node = &w->node[i];
    struct uno_fact fact[PES] = {0};
    for (int k = 0; k < PES; k++) {
        const struct pe *pe = &w->pe[k];
        fact[k].packets = node->packets[k];
        fact[k].waits_for = w->seat[k] != i     ? UNO_STUCK_FAR
                            : pe->state == LEFT ? UNO_STUCK_LEFT
                                                : pe->waits_for;
    }
    uno_link_put(&node->up.link, UNO_FRAME_FACTS, number, 0, (const void *)fact, quiet ? sizeof fact : 0);
}

static void look_at_node(struct world *w, int i, uint64_t number) {
    struct node *node = &w->node[i];
    int before = waiting(&node->up);
    bool quiet = true, all_left = true;
    for (int k = 0; k < PES; k++)
        if (w->seat[k] == i) {
            quiet &= w->pe[k].state != COMPUTES;
            all_left &= w->pe[k].state == LEFT;
        }
    enum uno_quiet_state state = quiet ? UNO_QUIET_HERE : UNO_QUIET_NOT;
    if (node->over)
        return;
    if (all_left) {
        tell_facts(w, i, 0, true);
        uno_link_put(&node->up.link, UNO_FRAME_OVER, 0, 0, 0);
        node->over = true;
    } else {
        if (state != node->told)
            uno_link_put(&node->up.link, UNO_FRAME_QUIET, (int)state);
        node->told = state;
        if (number)
            tell_facts(w, i, number, quiet);
    }
    post(w, &node->up, before);
}

static void step_node(struct world *w, int i) {
    struct node *node = &w->node[i];
    struct uno_frame frame;
    uint64_t number;
    if (come(w, &node->down))
        while (uno_link_next(&node->down.link, &frame) > 0)
            if (uno_frame_get(&frame, &number))
                look_at_node(w, i, number);
    if (w->now < node->next)
        return;
    node->next = w->now + LOOK;
    look_at_node(w, i, 0);
}

static void hear(struct world *w, int i) {
    struct uno_frame frame;
    if (!come(w, &w->node[i].up))
        return;
    while (uno_link_next(&w->node[i].up.link, &frame) > 0)
        if (frame.type == UNO_FRAME_QUIET)
            uno_quiet_hear(&w->c, i, &frame);
        else if (frame.type == UNO_FRAME_FACTS)
            uno_quiet_hear_facts(&w->c, i, &frame);
        else
            w->c.node[i].over = true;
}

/* The coordinator's links, to which it writes, are the ways down. */
static int *step_coordinator(struct world *w) {
    int before[NODES];
    uint64_t number = w->c.quiet.number;
    for (int i = 0; i < NODES; i++) {
        hear(w, i);
        before[i] = waiting(&w->node[i].down);
        w->c.node[i].link = w->node[i].down.link;
    }
    int *waits_for = uno_quiet_step(&w->c, (uint64_t)w->now * INTERVAL);
    for (int i = 0; i < NODES; i++) {
        w->node[i].down.link = w->c.node[i].link;
        post(w, &w->node[i].down, before[i]);
    }
    if (w->c.quiet.number != number)
        w->dead_when_asked = w->dead_since >= 0;
    return waits_for;
}

/* ---- runs -------------------------------------------------------------------------------------------- */

/* Run a job to its end. Returns NULL, or what went wrong. *found: a deadlock was. */
static const char *run(struct world *w, bool *found) {
    for (w->now = 1; w->now < MOMENTS; w->now++) {
        for (int k = 0; k < PES; k++)
            step_pe(w, k);
        step_packets(w);
        if (!is_dead(w))
            w->dead_since = -1;
        else if (w->dead_since < 0)
            w->dead_since = w->now;
        for (int i = 0; i < NODES; i++)
            step_node(w, i);
        int *waits_for = step_coordinator(w);
        *found = waits_for;
        free(waits_for);
        if (*found)
            return w->dead_since >= 0 || w->dead_when_asked ? NULL : "a job that goes on is a deadlock";
        if (w->dead_since >= 0 && w->now > w->dead_since + SOON && !(w->restless && w->now < MOMENTS / 2))
            return "a deadlock is not found";
    }
    return NULL;
}

static const char *simulate(uint64_t seed, int number, bool *found) {
    static struct world world;
    struct world *w = &world;
    struct uno_far_node node[NODES] = {0};
    struct uno_launch launch = {.n = PES};
    static struct uno_hosts hosts;
    struct uno_far_launch far = {.launch = &launch, .hosts = &hosts};
    memset(w, 0, sizeof *w);
    hosts.count = NODES;
    w->chance = rng_for(seed, (uint64_t)number, 0, 0);
    w->restless = number % 2;
    w->dead_since = -1;
    for (int k = 0; k < PES; k++) {
        w->seat[k] = hosts.seat[k] = k < NODES ? k : rng_below(&w->chance, NODES);
        compute(w, k);
    }
    for (int i = 0; i < NODES; i++) {
        w->node[i].next = rng_below(&w->chance, LOOK);
        w->node[i].up.link = w->node[i].down.link = (struct uno_link){.in = -1, .marked = true};
    }
    w->c = (struct uno_coordinator){.far = &far, .node = node, .told = true};
    const char *wrong = run(w, found);
    uno_quiet_free(&w->c);
    for (int i = 0; i < NODES; i++) {
        w->node[i].up.link.out = w->node[i].down.link.out = -1; /* it was none, but is not to look closed */
        uno_link_close(&w->node[i].up.link);
        uno_link_close(&w->node[i].down.link);
    }
    return wrong;
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int runs = argc > 2 ? atoi(argv[2]) : 1000, deadlocks = 0;
    for (int number = 0; number < runs; number++) {
        bool found = false;
        const char *wrong = simulate(seed, number, &found);
        if (wrong) {
            printf("run %d: %s\n", number, wrong);
            return 1;
        }
        deadlocks += found;
    }
    printf("%d runs, %d of them ended in a deadlock\n", runs, deadlocks);
    return deadlocks < runs / 2; /* else nothing was tested */
}

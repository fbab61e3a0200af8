/* packets: every operation costs the packets of its schedule and no more: from each node one to every other
 * one that has members if these are few, and else one in each step. */

#include <papers.h>
#include <stdio.h>

#include "engine/nodes.h"
#include "engine/pe.h"
#include "net/schedule.h"

enum { ROUNDS = 50 };

static int lowest; /* of the group */

static uint64_t sent(void) {
    struct uno_job_nodes *nodes = uno_nodes_of(uno_self->job);
    uint64_t all = 0;
    for (int k = 0; k < p_nproc(); k++)
        if (nodes->place[k].node != nodes->here)
            all += uno_load64_relaxed(&nodes->place[k].packets);
    return all;
}

static void wait_all(void) {
    p_wait();
}

static void sum(void) {
    p_reduceAdd64(p_iproc());
}

static void sum_of_reals(void) {
    p_reduceAddd(0.1 * p_iproc());
}

static void gather(void) {
    int32_t all[UNO_MAX_PES];
    p_gather32(all, p_iproc());
}

static void broadcast(void) {
    if (p_iproc() == lowest)
        p_bcastPut32(7);
    else
        p_bcastGet32();
}

static const struct {
    const char *name;
    void (*call)(void);
} operations[] = {{"p_wait", wait_all},
                  {"p_reduceAdd64", sum},
                  {"p_reduceAddd", sum_of_reals},
                  {"p_gather32", gather},
                  {"p_bcastPut32", broadcast}};

/* Return how many nodes have members of a group; `leads`: this PE is the first one of them on its node. */
static int nodes_of(uint64_t group, bool *leads) {
    struct uno_job_nodes *nodes = uno_nodes_of(uno_self->job);
    uint64_t seen = 0;
    *leads = false;
    for (int k = 0; k < p_nproc(); k++) {
        uint64_t node = UINT64_C(1) << nodes->place[k].node;
        if (!(group >> k & 1) || (seen & node))
            continue;
        seen |= node;
        *leads |= k == p_iproc();
    }
    return __builtin_popcountll(seen);
}

/* Do every operation in a group of which this PE is a member. Return true if each took its packets. */
static bool right(uint64_t group) {
    bool well = true, leads;
    int nodes = nodes_of(group, &leads);
    enum uno_schedule_way way = uno_schedule_choose(nodes, UNO_SCHEDULE_WHOLE);
    uint64_t least = (uint64_t)(ROUNDS * uno_schedule_of(way, nodes, 0).messages);
    p_enqueue(group);
    lowest = __builtin_ctzll(group);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        uint64_t before = sent();
        for (int round = 0; round < ROUNDS; round++)
            operations[i].call();
        uint64_t took = sent() - before;
        if (leads && took != least) {
            printf("PE %d: %d times %s in group %#jx took %ju packets, and the schedule has %ju\n", p_iproc(),
                   ROUNDS, operations[i].name, (uintmax_t)group, (uintmax_t)took, (uintmax_t)least);
            well = false;
        }
    }
    return well;
}

int main(void) {
    p_init();
    uint64_t all = (UINT64_C(1) << p_nproc()) - 1,
             groups[] = {all, all & ~UINT64_C(1), all & UINT64_C(0x5555)};
    bool well = true;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        p_enqueue(all); /* the sends of one group are over before those of the next are counted */
        p_wait();
        if (groups[i] >> p_iproc() & 1)
            well &= right(groups[i]);
    }
    p_enqueue(all);
    p_wait();
    return p_exit(well ? 0 : 1);
}

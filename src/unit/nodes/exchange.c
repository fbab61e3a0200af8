#include "exchange.h"

#include <stdlib.h>
#include <string.h>

#include "engine/nodes.h"
#include "learn.h"
#include "net/schedule.h"
#include "parts.h"

/* Await message k of the schedule. */
static void receive(struct uno_learning *learning, const struct uno_schedule *schedule, int k) {
    struct uno_pe *pe = learning->pe;
    struct uno_schedule_message m = uno_schedule_at(schedule, k);
    struct uno_part *part = uno_part_await(pe, pe->nodes->split.leaders[m.from], learning->signature,
                                           uno_learn_bytes(learning, m.received, m.count));
    uno_learn_add(learning, m.received, m.count, part->data, part->bytes);
    free(part);
}

/* Each node sends what the schedule says, as soon as it has that. */
static void by_schedule(struct uno_learning *learning) {
    struct uno_pe *pe = learning->pe;
    const struct uno_split *split = &pe->nodes->split;
    enum uno_schedule_way way = uno_schedule_choose(split->count, uno_learn_values(learning));
    struct uno_schedule schedule = uno_schedule_of(way, split->count, split->here);
    size_t bytes = 0;
    int received = 0;
    for (int k = 0; k < schedule.messages; k++) {
        struct uno_schedule_message m = uno_schedule_at(&schedule, k);
        while (received < m.after)
            receive(learning, &schedule, received++);
        if (!k || way != UNO_SCHEDULE_DIRECT) /* directly the same goes to all */
            bytes = uno_learn_pack(learning, m.sent, m.count, m.own);
        uno_part_send(pe, split->leaders[m.to], learning->signature, pe->nodes->packed, bytes);
    }
    while (received < schedule.messages)
        receive(learning, &schedule, received++);
    uno_learn_end(learning);
}

/* Up the tree each node sends its own part, with those of the nodes below it, and down again goes the
 * outcome, when the first node has the parts of all. */
static void by_tree(struct uno_learning *learning) {
    struct uno_pe *pe = learning->pe;
    struct uno_nodes_state *nodes = pe->nodes;
    const struct uno_tree *tree = &nodes->split.tree;
    const int *leaders = nodes->split.leaders;
    unsigned signature = learning->signature;
    int here = nodes->split.here, end = here + 1;
    for (int i = 0; i < tree->children; i++) {
        const struct uno_tree_child *c = &tree->child[i];
        struct uno_part *part = uno_part_await(pe, leaders[c->first], signature,
                                               uno_learn_bytes(learning, c->first, c->end - c->first));
        uno_learn_add(learning, c->first, c->end - c->first, part->data, part->bytes);
        end = c->end;
        free(part);
    }
    if (tree->parent < 0) {
        uno_learn_end(learning);
    } else {
        size_t bytes = uno_learn_pack(learning, here, end - here, true);
        uno_part_send(pe, leaders[tree->parent], signature, nodes->packed, bytes);
        struct uno_part *part = uno_part_await(pe, leaders[tree->parent], signature,
                                               uno_learn_bytes(learning, 0, nodes->split.count));
        memcpy(nodes->gathered, part->data, part->bytes);
        learning->bytes = part->bytes;
        free(part);
    }
    for (int i = tree->children - 1; i >= 0; i--)
        uno_part_send(pe, leaders[tree->child[i].first], signature, nodes->gathered, learning->bytes);
}

void uno_nodes_exchange(struct uno_learning *learning, const void *const *data) {
    uno_learn_begin(learning, data);
    (uno_nodes_each(learning->pe->job) ? by_tree : by_schedule)(learning);
}

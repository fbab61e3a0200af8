#include "exchange.h"

#include <stdlib.h>
#include <string.h>

#include "engine/nodes.h"
#include "learn.h"
#include "parts.h"

/* Each node sends its part to every other one. Each begins with the node behind its own, so that they do not
 * all send to the same one. */
static void directly(struct uno_learning *learning, size_t bytes) {
    struct uno_pe *pe = learning->pe;
    const struct uno_split *split = &pe->nodes->split;
    for (int i = 1; i < split->count; i++)
        uno_part_send(pe, split->leaders[(split->here + i) % split->count], learning->signature,
                      pe->nodes->packed, bytes);
    for (int i = 1; i < split->count; i++) {
        int node = (split->here + split->count - i) % split->count;
        struct uno_part *part = uno_part_await(pe, split->leaders[node], learning->signature,
                                               uno_learn_bytes(learning, node, node + 1));
        uno_learn_add(learning, node, node + 1, part->data, part->bytes);
        free(part);
    }
}

/* Up the tree each node sends its own part, with those of the nodes below it, and down again goes the
 * outcome, when the first node has the parts of all. */
static void by_tree(struct uno_learning *learning, size_t bytes) {
    struct uno_pe *pe = learning->pe;
    struct uno_nodes_state *nodes = pe->nodes;
    const struct uno_tree *tree = &nodes->split.tree;
    const int *leaders = nodes->split.leaders;
    unsigned signature = learning->signature;
    for (int i = 0; i < tree->children; i++) {
        const struct uno_tree_child *c = &tree->child[i];
        struct uno_part *part =
            uno_part_await(pe, leaders[c->first], signature, uno_learn_bytes(learning, c->first, c->end));
        uno_learn_add(learning, c->first, c->end, part->data, part->bytes);
        bytes = uno_learn_pack_further(learning, bytes, part->data, part->bytes);
        free(part);
    }
    if (tree->parent >= 0) {
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
    size_t bytes = uno_learn_pack(learning, data);
    (uno_nodes_each(learning->pe->job) ? by_tree : directly)(learning, bytes);
}

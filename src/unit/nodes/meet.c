#include "meet.h"

#include <stdlib.h>
#include <string.h>

#include "engine/channel/channel.h"
#include "engine/channel/far/interrupt.h"
#include "engine/channel/far/lines.h"
#include "engine/far/far.h"
#include "engine/fault.h"
#include "engine/function.h"
#include "engine/group.h"
#include "engine/observe.h"
#include "engine/rendezvous.h"
#include "exchange.h"
#include "learn.h"
#include "parts.h"

enum {
    TOLD_BYTES = UNO_BYTES - sizeof(uint64_t), /* of an outcome that fit into a post beside their number */
    LENGTH = 32 /* bits of that number; above them is the PE that the leader has waited for last */
};

/* ---- within a node ---------------------------------------------------------------------------------------
 */

/* Tell the neighbours the outcome, and in a job that observes for whom this node has waited last. */
static void tell(struct uno_learning *learning) {
    struct uno_pe *pe = learning->pe;
    const char *gathered = pe->nodes->gathered;
    uint64_t words[UNO_BYTES / sizeof(uint64_t)] = {learning->bytes | (uint64_t)pe->board->awaited << LENGTH};
    bool fits = learning->bytes <= TOLD_BYTES;
    memcpy(fits ? (void *)(words + 1) : uno_board_buffer(pe), gathered, learning->bytes);
    unsigned count = fits ? 1 + (unsigned)((learning->bytes + 7) / 8) : 1;
    uno_board_tell(pe, learning->signature, words, count);
}

/* Wait until the leader tells the outcome, and show it. */
static void be_told(struct uno_learning *learning) {
    struct uno_pe *pe = learning->pe;
    int leader = pe->nodes->split.leader;
    const char *told = uno_board_told(pe, leader, learning->signature);
    uint64_t first;
    memcpy(&first, told, sizeof first);
    uint64_t bytes = first & ((UINT64_C(1) << LENGTH) - 1);
    const void *result = bytes <= TOLD_BYTES ? told + sizeof first : uno_board_buffer_of(pe, leader);
    uno_learn_show(learning, result, bytes);
    if (pe->job->observe && first >> LENGTH < (uint64_t)pe->n)
        pe->board->awaited = (int32_t)(first >> LENGTH);
}

/* As meet, in a group whose members are on several nodes, of which `near` is the group now. */
static void cross(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    struct uno_nodes_state *nodes = pe->nodes;
    struct uno_learning *learning = &nodes->learning;
    const void *alone[] = {in}, *const *data = alone;
    learning->signature = signature;
    learning->words = words;
    uno_pe_function(pe, &learning->function, signature, words);
    if (pe->group.size > 1)
        data = uno_board_meet(pe, signature, in, words);
    if (pe->me != nodes->split.leader) {
        be_told(learning);
        return;
    }
    uno_nodes_exchange(learning, data);
    if (pe->group.size > 1)
        tell(learning);
    uno_learn_show(learning, nodes->gathered, learning->bytes);
}

/* As cross, in a job that observes: board->awaited becomes the PE that was waited for last, and the library
 * that records the calls of this PE learns of one on another node, whose marks are there. */
static UNO_COLD void cross_observed(struct uno_pe *pe, unsigned signature, const uint64_t *in,
                                    unsigned words) {
    pe->board->awaited = pe->me;
    cross(pe, signature, in, words);
    if (p_heard && uno_is_far(pe, pe->board->awaited))
        p_heard(pe->board->awaited);
}

const void *const *uno_nodes_meet(struct uno_pe *pe, unsigned signature, const uint64_t *in, unsigned words) {
    struct uno_split *split = &pe->nodes->split;
    uno_far_interrupt_look(pe, signature);
    uno_split_follow(split, pe);
    if (split->count == 1)
        return uno_board_meet(pe, signature, in, words);
    pe->whole = &split->whole;
    uno_group_adopt(pe, &split->near);
    (UNO_LIKELY(!pe->job->observe) ? cross : cross_observed)(pe, signature, in, words);
    uno_group_adopt(pe, &split->whole);
    pe->whole = NULL;
    return pe->data;
}

/* ----------------------------------------------------------------------------------------------------------
 */

void uno_nodes_open(struct uno_pe *pe) {
    size_t data = (size_t)pe->n * UNO_BYTES;
    struct uno_nodes_state *nodes = calloc(1, sizeof *nodes);
    bool all = nodes && uno_far_interrupt_start(pe) && uno_split_open(&nodes->split, pe) &&
               uno_node_parts_open(&nodes->parts, pe) && (nodes->packed = malloc(data)) &&
               (nodes->gathered = malloc(data)) &&
               (nodes->pair = malloc((size_t)pe->n * sizeof *nodes->pair));
    if (!all)
        uno_fail(pe, "p_init: out of memory");
    nodes->learning.pe = pe;
    pe->nodes = nodes;
    uno_far_links_start(uno_channel_of(pe)); /* the channel has the bell by which the network wakes this PE */
}

void uno_nodes_close(struct uno_pe *pe) {
    struct uno_nodes_state *nodes = pe->nodes;
    uno_far_interrupt_end(pe);
    uno_far_end(pe);
    uno_node_parts_close(&nodes->parts, pe);
    uno_split_close(&nodes->split);
    free(nodes->packed);
    free(nodes->gathered);
    free(nodes->pair);
    free(nodes);
}

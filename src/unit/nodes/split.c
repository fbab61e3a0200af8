#include "split.h"

#include <stdlib.h>
#include <string.h>

#include "engine/group.h"
#include "engine/nodes.h"

bool uno_split_open(struct uno_split *split, struct uno_pe *pe) {
    size_t nodes = (size_t)uno_nodes_of(pe->job)->count, n = (size_t)pe->n;
    int *memory = calloc(4 * nodes + n, sizeof *memory);
    *split = (struct uno_split){.leaders = memory};
    if (!memory)
        return false;
    split->members = memory + nodes;
    split->start = memory + 2 * nodes;
    split->number = memory + 3 * nodes;
    split->rank = memory + 4 * nodes;
    return true;
}

void uno_split_close(struct uno_split *split) {
    free(split->leaders);
}

/* Number the nodes that have members, in the order of their lowest ones, and count their members. */
static void number_nodes(struct uno_split *split, const struct uno_pe *pe) {
    const struct uno_job_nodes *nodes = uno_nodes_of(pe->job);
    split->count = 0;
    for (int i = 0; i < nodes->count; i++)
        split->number[i] = -1;
    UNO_FOR_EACH_PE (k, split->whole.mask, pe->job->words) {
        int *number = &split->number[nodes->place[k].node];
        if (*number < 0) {
            *number = split->count++;
            split->leaders[*number] = k;
            split->members[*number] = 0;
        }
        split->members[*number]++;
    }
    for (int i = 0, start = 0; i < split->count; start += split->members[i++])
        split->start[i] = start;
    split->here = split->number[uno_node_of(pe, pe->me)];
    split->leader = split->leaders[split->here];
}

static void calculate(struct uno_split *split, struct uno_pe *pe) {
    const struct uno_job_nodes *nodes = uno_nodes_of(pe->job);
    int words = pe->job->words, rank = 0;
    uint64_t near[UNO_WORDS] = {0};
    memcpy(&split->whole, &pe->group, sizeof split->whole);
    number_nodes(split, pe);
    memset(split->members, 0, (size_t)split->count * sizeof *split->members);
    UNO_FOR_EACH_PE (k, split->whole.mask, words) {
        int i = split->number[nodes->place[k].node];
        split->rank[split->start[i] + split->members[i]++] = rank++;
        if (i == split->here)
            near[k / 64] |= (uint64_t)1 << k % 64;
    }
    uno_group_of(near, words, pe->me, &split->near);
    split->near.id = split->whole.id;
    if (nodes->columns)
        uno_tree_of(&split->tree, split->leaders, split->count, split->here, nodes->columns);
}

void uno_split_follow(struct uno_split *split, struct uno_pe *pe) {
    size_t bytes = (size_t)pe->job->words * sizeof *pe->group.mask;
    if (!split->count || memcmp(split->whole.mask, pe->group.mask, bytes) != 0)
        calculate(split, pe);
}

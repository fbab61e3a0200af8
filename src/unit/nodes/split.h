/* A group whose members are on several nodes: its part on this node, and the lowest member on each node, its
 * leader there. */

#ifndef UNO_NODES_SPLIT_H
#define UNO_NODES_SPLIT_H

#include "engine/pe.h"
#include "tree.h"

struct uno_split {
    struct uno_group whole;
    struct uno_group near; /* the members on this node; its id is that of the whole */
    int count;             /* nodes that have members */
    int here;              /* the number of this one among them */
    int leader;            /* the lowest member on this node */
    /* For each of those nodes, in the order of their leaders: the leader, the number of its members, and
     * where their ranks in the group begin in `rank`, in which they stand node by node in PE order. */
    int *leaders, *members, *start, *rank;
    int *number;          /* for each node of the job its number among those */
    struct uno_tree tree; /* on a mesh: of those nodes */
};

/* Make room for the groups of a job. Returns false if there is no memory. */
bool uno_split_open(struct uno_split *split, struct uno_pe *pe);
void uno_split_close(struct uno_split *split);

/* Calculate the split of the PE's present group, unless it is that of the last call. */
void uno_split_follow(struct uno_split *split, struct uno_pe *pe);

#endif

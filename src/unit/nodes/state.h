/* The state of a PE of a job on several nodes: of its operations with PEs on other ones. */

#ifndef UNO_NODES_STATE_H
#define UNO_NODES_STATE_H

#include "engine/pe.h"
#include "engine/signature.h"
#include "split.h"

/* A part that has come. */
struct uno_part {
    struct uno_part *next;
    uint64_t group; /* the id of the sender's group */
    unsigned signature;
    int last; /* the PE of its node that the sender has waited for last, if the job observes */
    size_t bytes;
    uint64_t data[];
};

struct uno_node_parts {
    struct uno_part_queue {
        struct uno_part *first, *last;
    } * from; /* for each PE the parts from it that have come */
};

/* One operation at a leader. */
struct uno_learning {
    struct uno_pe *pe;
    unsigned signature, words;
    struct uno_function function;
    size_t bytes; /* of `gathered` so far, or when all has come */
    uint64_t own; /* the word into which this node's members are combined */
};

struct uno_nodes_state {
    struct uno_split split; /* of the present group */
    struct uno_node_parts parts;
    struct uno_learning learning; /* of the present operation */
    char *packed;                 /* this node's part, */
    char *gathered;               /* and the data of all members, or what they are combined into */
    uint64_t (*pair)[2];          /* of each member in a broadcast: its value, and whether it has put */
};

#endif

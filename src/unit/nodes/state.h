/* The state of a PE of a job on several nodes. */

#ifndef UNO_NODES_STATE_H
#define UNO_NODES_STATE_H

#include "learn.h"
#include "parts.h"
#include "split.h"

struct uno_nodes_state {
    struct uno_split split; /* of the present group */
    struct uno_node_parts parts;
    struct uno_learning learning; /* of the present operation */
    char *packed;                 /* this node's part, */
    char *gathered;               /* and the data of all members, or what they are combined into */
    uint64_t (*pair)[2];          /* of each member in a broadcast: its value, and whether it has put */
};

#endif

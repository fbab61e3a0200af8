#include "node.h"

bool uno_node_has(const struct uno_launch *launch, int k) {
    return !launch->node || launch->node->seat[k] == launch->node->here;
}

int uno_node_before(const struct uno_launch *launch, int k) {
    int before = 0;
    for (int i = 0; i < k; i++)
        before += uno_node_has(launch, i);
    return before;
}

int uno_node_pes(const struct uno_launch *launch) {
    return uno_node_before(launch, launch->n);
}

const char *uno_node_host(const struct uno_launch *launch, int k) {
    return launch->node ? launch->node->name[launch->node->seat[k]] : NULL;
}

#include "collective/hierarchy/nodes.h"

#include <stdlib.h>

/* Give the nodes their numbers, and each rank its node and place. False: not every rank has a node. */
static bool number_nodes(struct uno_nodes *n, int size, const int *head) {
    int most = 0;
    for (int r = 0; r < size; r++) {
        if (head[r] < 0)
            return false;
        most = head[r] > most ? head[r] : most;
    }
    int *number = uno_base_allocate((size_t)most + 1, sizeof *number); /* + 1, by what the node has alone */
    for (int r = 0; r < size; r++) {
        if (!number[head[r]])
            number[head[r]] = ++n->count;
        n->node[r] = number[head[r]] - 1;
        n->place[r] = n->size[n->node[r]]++;
    }
    free(number);
    return true;
}

/* Every rank computes the same, from what all of them know. */
struct uno_nodes *uno_nodes_make(int size, int rank, const int *head, const struct uno_between *between) {
    struct uno_nodes *n = uno_base_allocate(1, sizeof *n);
    int *room = uno_base_allocate((size_t)size, 5 * sizeof *room);
    n->between = between;
    n->node = room, n->place = room + size, n->size = room + 2 * size, n->before = room + 3 * size;
    n->rank = room + 4 * size;
    if (!number_nodes(n, size, head) || n->count == size) {
        uno_nodes_free(n);
        return NULL;
    }
    n->mine = n->node[rank];
    for (int i = 1; i < n->count; i++)
        n->before[i] = n->before[i - 1] + n->size[i - 1];
    for (int r = 0; r < size; r++)
        n->rank[n->before[n->node[r]] + n->place[r]] = r;
    return n;
}

void uno_nodes_free(struct uno_nodes *n) {
    if (n->connected)
        n->disconnect(n);
    free(n->node);
    free(n);
}

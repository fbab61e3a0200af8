#include "collective/hierarchy/nodes.h"

#include <stdlib.h>

#include "accelerator/host/node.h"

/* Every rank computes the same, from what all of them know. */
struct uno_nodes *uno_nodes_make(int size, int rank, const int *world_rank) {
    int *number = uno_node_allocate((size_t)uno_node.world_size,
                                    sizeof *number); /* + 1, by its first rank in the world */
    struct uno_nodes *n = uno_node_allocate(1, sizeof *n);
    int *room = uno_node_allocate((size_t)size, 5 * sizeof *room);
    n->node = room, n->place = room + size, n->size = room + 2 * size, n->before = room + 3 * size;
    n->rank = room + 4 * size;
    bool possible = true;
    for (int r = 0; r < size; r++) {
        int head = world_rank[r] == MPI_UNDEFINED ? -1 : uno_node.head_of[world_rank[r]];
        possible &= head >= 0;
        if (!possible)
            continue;
        if (!number[head])
            number[head] = ++n->count;
        n->node[r] = number[head] - 1;
        n->place[r] = n->size[n->node[r]]++;
    }
    free(number);
    if (!possible || n->count == size) {
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

void uno_nodes_connect(struct uno_nodes *n, int rank, MPI_Comm comm) {
    if (n->made)
        return;
    HOST(Comm_split)(comm, n->mine, rank, &n->inside);
    HOST(Comm_split)(comm, n->place[rank] ? MPI_UNDEFINED : 0, rank, &n->leaders);
    n->made = true;
}

void uno_nodes_free(struct uno_nodes *n) {
    /* when the program ends the host frees its communicators itself */
    if (n->made && uno_node.on) {
        HOST(Comm_free)(&n->inside);
        if (n->leaders != MPI_COMM_NULL)
            HOST(Comm_free)(&n->leaders);
    }
    free(n->node);
    free(n);
}

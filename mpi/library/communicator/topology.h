/* Topologies: which ranks of a communicator are neighbours. */

#ifndef UNO_MPI_TOPOLOGY_H
#define UNO_MPI_TOPOLOGY_H

#include "library/communicator/comm.h"

/* An edge of this rank: from an in-neighbour or to an out-neighbour. */
struct uno_edge {
    int rank; /* the rank at its other end; MPI_PROC_NULL: nothing goes along it */
    int way;  /* an edge has the same one in the lists of both of its ends. Those of the same two ends and way
                 follow each other in the same order in both lists. */
};

/* The neighbours of one rank, in the order of the blocks of neighbourhood collectives. */
struct uno_neighbours {
    int ins, outs;
    struct uno_edge *in, *out;
};

/* Return the neighbours of this rank; NULL: the communicator has no topology. */
const struct uno_neighbours *uno_neighbours_of(const struct uno_mpi_comm *comm);

/* The topology of a communicator. It never changes, and copies of the communicator share it. */
struct uno_topology {
    int references;
    int kind; /* MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH */
    /* a grid: for each dimension its size, whether it is a ring, and where this rank is in it */
    int dimensions, *size, *ring, *place;
    /* a graph: the edges of rank r end before number index[r] */
    int nodes, *index, *edge;
    /* a distributed graph: weights of this rank's edges, in the order of its neighbours; or NULL */
    int *in_weight, *out_weight;
    struct uno_neighbours neighbours;
};

/* Make a topology of that kind, with room for so many edges of this rank; the caller fills it in. */
struct uno_topology *uno_topology_make(int kind, int ins, int outs);

/* Add a communicator that shares the topology. Returns it; NULL is allowed. */
static inline struct uno_topology *uno_topology_share(struct uno_topology *topology) {
    if (topology)
        topology->references++;
    return topology;
}

/* Drop one communicator's reference to it; NULL is allowed. */
void uno_topology_drop(struct uno_topology *topology);

/* Return the communicator's topology if it is of that kind. Otherwise report MPI_ERR_TOPOLOGY and return
 * NULL. */
const struct uno_topology *uno_topology_of(const struct uno_mpi_comm *comm, int kind);

/* Return a copy of `count` numbers, to be freed. */
int *uno_topology_copy(const int *numbers, int count);

#endif

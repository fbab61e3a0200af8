/* Topologies: which ranks of a communicator are neighbours. */

#ifndef UNO_MPI_TOPOLOGY_H
#define UNO_MPI_TOPOLOGY_H

#include "library/communicator/comm.h"

/* An edge of this rank's, from an in-neighbour or to an out-neighbour. */
struct uno_edge {
    int rank; /* at its other end; or MPI_PROC_NULL: nothing goes along it */
    int way;  /* an edge has the same one in the lists of both of its ends. Those of the same two ends and way
                 follow each other in the same order in both lists. */
};

/* Of one rank, in the order in which the neighbourhood collectives have their blocks. */
struct uno_neighbours {
    int ins, outs;
    struct uno_edge *in, *out;
};

/* Those of this rank; NULL: the communicator has no topology. */
const struct uno_neighbours *uno_neighbours_of(const struct uno_mpi_comm *comm);

/* What a communicator knows of it; it never changes, and copies of the communicator share it. */
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

/* One of that kind, to be filled in, with room for so many edges of this rank. */
struct uno_topology *uno_topology_make(int kind, int ins, int outs);

/* One communicator more has it. Returns it; NULL is none. */
static inline struct uno_topology *uno_topology_share(struct uno_topology *topology) {
    if (topology)
        topology->references++;
    return topology;
}

/* One communicator less has it; NULL is none. */
void uno_topology_drop(struct uno_topology *topology);

/* That of the communicator, if it is of that kind. If not, says that it is none (MPI_ERR_TOPOLOGY), and
 * returns NULL. */
const struct uno_topology *uno_topology_of(const struct uno_mpi_comm *comm, int kind);

/* A copy of `count` numbers, to be freed. */
int *uno_topology_copy(const int *numbers, int count);

#endif

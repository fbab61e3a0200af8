#include "library/communicator/topology.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/calls.h"

const struct uno_neighbours *uno_neighbours_of(const struct uno_mpi_comm *comm) {
    return comm->topology ? &comm->topology->neighbours : NULL;
}

struct uno_topology *uno_topology_make(int kind, int ins, int outs) {
    struct uno_topology *t = uno_base_allocate(1, sizeof *t);
    t->references = 1;
    t->kind = kind;
    t->neighbours = (struct uno_neighbours){
        .ins = ins,
        .outs = outs,
        .in = uno_base_allocate((size_t)ins + 1, sizeof(struct uno_edge)),
        .out = uno_base_allocate((size_t)outs + 1, sizeof(struct uno_edge)),
    };
    return t;
}

void uno_topology_drop(struct uno_topology *t) {
    if (!t || --t->references)
        return;
    free(t->size);
    free(t->ring);
    free(t->place);
    free(t->index);
    free(t->edge);
    free(t->in_weight);
    free(t->out_weight);
    free(t->neighbours.in);
    free(t->neighbours.out);
    free(t);
}

const struct uno_topology *uno_topology_of(const struct uno_mpi_comm *comm, int kind) {
    if (comm->topology && comm->topology->kind == kind)
        return comm->topology;
    uno_error(MPI_ERR_TOPOLOGY, "comm is no %s",
              kind == MPI_CART    ? "grid (MPI_Cart_create)"
              : kind == MPI_GRAPH ? "graph (MPI_Graph_create)"
                                  : "distributed graph (MPI_Dist_graph_create)");
    return NULL;
}

int *uno_topology_copy(const int *numbers, int count) {
    int *copy = uno_base_allocate((size_t)count + 1, sizeof *copy);
    if (count)
        memcpy(copy, numbers, (size_t)count * sizeof *copy);
    return copy;
}

int uno_mpi_topo_test(struct uno_mpi_comm *comm, int *status) {
    *status = comm->topology ? comm->topology->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

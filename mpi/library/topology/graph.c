/* Graphs, of which each rank knows all edges. */

#include "library/calls.h"
#include "library/communicator/topology.h"
#include "library/derived/split.h"
#include "library/object/address.h"

/* ---- making ----------------------------------------------------------------------------------------------
 */

/* The edges of rank r begin at this place. */
static int begin_of(const int *index, int r) {
    return r ? index[r - 1] : 0;
}

static int check_graph(int nodes, const int *index, const int *edge, int most) {
    if (nodes < 0 || nodes > most)
        return uno_error(MPI_ERR_ARG, "nnodes is %d, and the communicator has %d ranks", nodes, most);
    for (int r = 0; r < nodes; r++)
        if (index[r] < begin_of(index, r))
            return uno_error(MPI_ERR_ARG, "indx[%d] is %d, which is less than the one before, or than 0", r,
                             index[r]);
    int edges = nodes ? index[nodes - 1] : 0, error = uno_list_check("edges", edge, edges);
    for (int i = 0; i < edges && !error; i++)
        if (edge[i] < 0 || edge[i] >= nodes)
            error = uno_error(MPI_ERR_ARG, "edges[%d] is %d; the nodes are 0 to %d", i, edge[i], nodes - 1);
    return error;
}

/* Make the topology of a graph: both lists of neighbours are the list of its edges. */
static struct uno_topology *graph_of(int rank, int nodes, const int *index, const int *edge) {
    int begin = begin_of(index, rank), degree = index[rank] - begin;
    struct uno_topology *t = uno_topology_make(MPI_GRAPH, degree, degree);
    t->nodes = nodes;
    t->index = uno_topology_copy(index, nodes);
    t->edge = uno_topology_copy(edge, index[nodes - 1]);
    for (int i = 0; i < degree; i++)
        t->neighbours.in[i] = t->neighbours.out[i] = (struct uno_edge){edge[begin + i], 0};
    return t;
}

int uno_mpi_graph_create(struct uno_mpi_comm *comm_old, int nnodes, const int indx[], const int edges[],
                         int reorder, MPI_Comm *comm_graph) {
    struct uno_mpi_comm *made;
    int rank = comm_old->comm.rank, error = check_graph(nnodes, indx, edges, comm_old->comm.size);
    (void)reorder; /* all ranks are equally near to each other */
    *comm_graph = MPI_COMM_NULL;
    if (!error)
        error = uno_comm_split(comm_old, rank < nnodes ? 0 : MPI_UNDEFINED, rank, &made);
    if (error || !made)
        return error;
    made->topology = graph_of(rank, nnodes, indx, edges);
    *comm_graph = (MPI_Comm)made->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_graph_map(struct uno_mpi_comm *comm, int nnodes, const int indx[], const int edges[],
                      int *newrank) {
    int error = check_graph(nnodes, indx, edges, comm->comm.size);
    if (!error)
        *newrank = comm->comm.rank < nnodes ? comm->comm.rank : MPI_UNDEFINED;
    return error;
}

/* ---- questions --------------------------------------------------------------------------------------------
 */

int uno_mpi_graphdims_get(struct uno_mpi_comm *comm, int *nnodes, int *nedges) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_GRAPH);
    if (!t)
        return MPI_ERR_TOPOLOGY;
    *nnodes = t->nodes;
    *nedges = t->index[t->nodes - 1];
    return MPI_SUCCESS;
}

int uno_mpi_graph_get(struct uno_mpi_comm *comm, int maxindex, int maxedges, int indx[], int edges[]) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_GRAPH);
    if (!t)
        return MPI_ERR_TOPOLOGY;
    if (uno_room_check("maxindex", maxindex) || uno_room_check("maxedges", maxedges))
        return MPI_ERR_ARG;
    for (int r = 0; r < t->nodes && r < maxindex; r++)
        indx[r] = t->index[r];
    for (int i = 0; i < t->index[t->nodes - 1] && i < maxedges; i++)
        edges[i] = t->edge[i];
    return MPI_SUCCESS;
}

/* Find the topology of a rank of comm, which may be any number. Returns an error if there is none. */
static int graph_at(const struct uno_mpi_comm *comm, int rank, const struct uno_topology **t) {
    *t = uno_topology_of(comm, MPI_GRAPH);
    if (!*t)
        return MPI_ERR_TOPOLOGY;
    if (rank < 0 || rank >= (*t)->nodes)
        return uno_error(MPI_ERR_RANK, "rank is %d; the ranks are 0 to %d", rank, (*t)->nodes - 1);
    return MPI_SUCCESS;
}

int uno_mpi_graph_neighbors_count(struct uno_mpi_comm *comm, int rank, int *nneighbors) {
    const struct uno_topology *t;
    int error = graph_at(comm, rank, &t);
    if (!error)
        *nneighbors = t->index[rank] - begin_of(t->index, rank);
    return error;
}

int uno_mpi_graph_neighbors(struct uno_mpi_comm *comm, int rank, int maxneighbors, int neighbors[]) {
    const struct uno_topology *t;
    int error = graph_at(comm, rank, &t);
    if (!error)
        error = uno_room_check("maxneighbors", maxneighbors);
    for (int i = 0; !error && i < maxneighbors && i < t->index[rank] - begin_of(t->index, rank); i++)
        neighbors[i] = t->edge[begin_of(t->index, rank) + i];
    return error;
}

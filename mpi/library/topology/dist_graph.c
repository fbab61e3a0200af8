/* Distributed graphs, of which each rank knows its own edges. */

#include <limits.h>
#include <stdlib.h>

#include "collective/base.h"
#include "library/blocking/collectives.h"
#include "library/calls.h"
#include "library/communicator/topology.h"
#include "library/derived/split.h"
#include "library/object/address.h"
#include "library/type/predefined.h"

/* An edge of the graph, as some rank has described it. */
struct told {
    int from, to, weight;
};

static int check_ranks(const char *name, int count, const int *ranks, int size) {
    int error = uno_list_check(name, ranks, count);
    if (count < 0)
        return uno_error(MPI_ERR_ARG, "the number of %s is %d", name, count);
    for (int i = 0; i < count && !error; i++)
        if (ranks[i] < 0 || ranks[i] >= size)
            error =
                uno_error(MPI_ERR_ARG, "%s[%d] is %d; the ranks are 0 to %d", name, i, ranks[i], size - 1);
    return error;
}

/* Check that there is a weight for each edge. */
static int check_weights(const char *name, const int *weights, int count) {
    if (count == 0 || uno_is_address(weights))
        return MPI_SUCCESS;
    return uno_error(MPI_ERR_ARG, "%s is %s, and there are %d edges", name,
                     weights == MPI_WEIGHTS_EMPTY ? "MPI_WEIGHTS_EMPTY"
                     : weights                    ? "no array, or MPI_UNWEIGHTED beside one"
                                                  : "a null pointer",
                     count);
}

/* Make a communicator of the same ranks with that topology, which then belongs to it. */
static int give(struct uno_mpi_comm *old, struct uno_topology *t, MPI_Comm *newcomm) {
    struct uno_mpi_comm *made;
    int error = uno_comm_split(old, 0, old->comm.rank, &made);
    if (error) {
        uno_topology_drop(t);
        return error;
    }
    made->topology = t;
    *newcomm = (MPI_Comm)made->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_dist_graph_create_adjacent(struct uno_mpi_comm *comm_old, int indegree, const int sources[],
                                       const int sourceweights[], int outdegree, const int destinations[],
                                       const int destweights[], struct uno_mpi_info *info, int reorder,
                                       MPI_Comm *comm_dist_graph) {
    int size = comm_old->comm.size, error = check_ranks("sources", indegree, sources, size);
    (void)info, (void)reorder; /* all ranks are equally near to each other */
    *comm_dist_graph = MPI_COMM_NULL;
    if (!error)
        error = check_ranks("destinations", outdegree, destinations, size);
    /* a side without edges does not count */
    bool weighted = (indegree || !outdegree ? sourceweights : destweights) != MPI_UNWEIGHTED;
    if (!error && weighted)
        error = check_weights("sourceweights", sourceweights, indegree);
    if (!error && weighted)
        error = check_weights("destweights", destweights, outdegree);
    if (error)
        return error;
    struct uno_topology *t = uno_topology_make(MPI_DIST_GRAPH, indegree, outdegree);
    for (int i = 0; i < indegree; i++)
        t->neighbours.in[i].rank = sources[i];
    for (int i = 0; i < outdegree; i++)
        t->neighbours.out[i].rank = destinations[i];
    if (weighted) {
        t->in_weight = uno_topology_copy(sourceweights, indegree);
        t->out_weight = uno_topology_copy(destweights, outdegree);
    }
    return give(comm_old, t, comm_dist_graph);
}

/* ---- edges that any rank tells of -----------------------------------------------------------------------
 */

/* Return all edges that all ranks describe, in rank order, and each rank's in its own order; to be freed.
 * *count: their number. NULL: there are too many. */
static struct told *tell_all(struct uno_mpi_comm *comm, const struct told *own, int n, int *count) {
    enum { NUMBERS = sizeof(struct told) / sizeof(int) };
    struct uno_mpi_type *type = uno_find_type(MPI_INT);
    int size = comm->comm.size, mine = n * NUMBERS, total = 0;
    int *counts = uno_base_allocate((size_t)size, sizeof *counts);
    int *from = uno_base_allocate((size_t)size, sizeof *from);
    struct told *all = NULL;
    int error = UNO_AMONG(comm, allgather)(&mine, 1, type, counts, 1, type, comm);
    for (int r = 0; r < size; r++) {
        from[r] = total;
        total += counts[r];
    }
    if (!error) {
        all = uno_base_allocate((size_t)total + 1, sizeof(int));
        error = UNO_AMONG(comm, allgatherv)(own, mine, type, all, (struct uno_numbers){counts, false},
                                            (struct uno_numbers){from, false}, type, comm);
    }
    free(counts);
    free(from);
    *count = total / NUMBERS;
    if (!error)
        return all;
    free(all);
    return NULL;
}

/* Return the edges that a rank describes, as a list; to be freed. */
static struct told *list(int n, const int *sources, const int *degrees, const int *destinations,
                         const int *weights, int count) {
    struct told *own = uno_base_allocate((size_t)count + 1, sizeof *own);
    for (int i = 0, e = 0; i < n; i++)
        for (int j = 0; j < degrees[i]; j++, e++)
            own[e] = (struct told){sources[i], destinations[e], weights == MPI_UNWEIGHTED ? 0 : weights[e]};
    return own;
}

/* Return the topology of this rank's edges, of all edges. */
static struct uno_topology *pick(int rank, const struct told *all, int count, bool weighted) {
    int ins = 0, outs = 0;
    for (int e = 0; e < count; e++) {
        ins += all[e].to == rank;
        outs += all[e].from == rank;
    }
    struct uno_topology *t = uno_topology_make(MPI_DIST_GRAPH, ins, outs);
    int *in = uno_base_allocate((size_t)ins + 1, sizeof *in);
    int *out = uno_base_allocate((size_t)outs + 1, sizeof *out);
    for (int e = 0, i = 0, o = 0; e < count; e++) {
        if (all[e].to == rank) {
            in[i] = all[e].weight;
            t->neighbours.in[i++].rank = all[e].from;
        }
        if (all[e].from == rank) {
            out[o] = all[e].weight;
            t->neighbours.out[o++].rank = all[e].to;
        }
    }
    t->in_weight = weighted ? in : NULL;
    t->out_weight = weighted ? out : NULL;
    if (!weighted) {
        free(in);
        free(out);
    }
    return t;
}

int uno_mpi_dist_graph_create(struct uno_mpi_comm *comm_old, int n, const int sources[], const int degrees[],
                              const int destinations[], const int weights[], struct uno_mpi_info *info,
                              int reorder, MPI_Comm *comm_dist_graph) {
    int size = comm_old->comm.size, own = 0, count, error = check_ranks("sources", n, sources, size);
    (void)info, (void)reorder; /* all ranks are equally near to each other */
    *comm_dist_graph = MPI_COMM_NULL;
    for (int i = 0; i < n && !error; i++) {
        if (degrees[i] < 0)
            return uno_error(MPI_ERR_ARG, "degrees[%d] is %d", i, degrees[i]);
        if (degrees[i] > INT_MAX - own)
            return uno_error(MPI_ERR_ARG, "degrees has more than %d edges", INT_MAX);
        own += degrees[i];
    }
    if (!error)
        error = check_ranks("destinations", own, destinations, size);
    if (!error && weights != MPI_UNWEIGHTED)
        error = check_weights("weights", weights, own);
    if (error)
        return error;
    struct told *mine = list(n, sources, degrees, destinations, weights, own);
    struct told *all = tell_all(comm_old, mine, own, &count);
    free(mine);
    if (!all)
        return uno_error(MPI_ERR_UNSUPPORTED_OPERATION, "the graph has too many edges");
    struct uno_topology *t = pick(comm_old->comm.rank, all, count, weights != MPI_UNWEIGHTED);
    free(all);
    return give(comm_old, t, comm_dist_graph);
}

/* ---- questions --------------------------------------------------------------------------------------------
 */

int uno_mpi_dist_graph_neighbors_count(struct uno_mpi_comm *comm, int *indegree, int *outdegree,
                                       int *weighted) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_DIST_GRAPH);
    if (!t)
        return MPI_ERR_TOPOLOGY;
    *indegree = t->neighbours.ins;
    *outdegree = t->neighbours.outs;
    *weighted = t->in_weight != NULL;
    return MPI_SUCCESS;
}

/* Write as many edges as there is room for, and their weights, if both sides have them. name: of the
 * weights. */
static int give_edges(const struct uno_edge *edge, const int *weight, int count, int room, int *ranks,
                      const char *name, int *weights) {
    bool weighted = weight && weights != MPI_UNWEIGHTED;
    int given = count < room ? count : room,
        error = weighted ? uno_list_check(name, weights, given) : MPI_SUCCESS;
    for (int i = 0; i < given && !error; i++) {
        ranks[i] = edge[i].rank;
        if (weighted)
            weights[i] = weight[i];
    }
    return error;
}

int uno_mpi_dist_graph_neighbors(struct uno_mpi_comm *comm, int maxindegree, int sources[],
                                 int sourceweights[], int maxoutdegree, int destinations[],
                                 int destweights[]) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_DIST_GRAPH);
    if (!t)
        return MPI_ERR_TOPOLOGY;
    if (uno_room_check("maxindegree", maxindegree) || uno_room_check("maxoutdegree", maxoutdegree))
        return MPI_ERR_ARG;
    const struct uno_neighbours *near = &t->neighbours;
    int error =
        give_edges(near->in, t->in_weight, near->ins, maxindegree, sources, "sourceweights", sourceweights);
    return error ? error
                 : give_edges(near->out, t->out_weight, near->outs, maxoutdegree, destinations, "destweights",
                              destweights);
}

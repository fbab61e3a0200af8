/* neighbours --seed S --rounds N: random topologies, and neighbourhood collectives in them, all of whose
 * blocks are known. Edges may repeat, lead to the rank itself, or nowhere. */

#include "campaign.h"
#include "rng.h"

#include <stdbool.h>
#include <string.h>

enum { MOST = 40 /* edges of a rank */, RANKS = 64, LONGEST = 300 };

/* One round: the same plan at every rank. */
static struct rng all;
static uint64_t seed;
static int rank, size, number;

static MPI_Comm comm;
static bool grid;
static int ins, outs, in[MOST], out[MOST]; /* this rank's neighbours, in the order of its blocks */
static int out_of[RANKS][MOST];            /* and those of each rank */

/* Element i of the block that a rank sends along its edge number `edge`; and the number of elements. */
static uint32_t value(int from, int edge, int i) {
    struct rng r = rng_for(seed, (uint64_t)number, (uint64_t)(from * MOST + edge), (uint64_t)i);
    return (uint32_t)rng_next(&r);
}
static int length(int from, int edge) {
    return (int)(value(from, edge, -1) % LONGEST);
}

/* ---- topologies ---------------------------------------------------------------------------------------- */

static void make_grid(void) {
    int dimensions = 1 + rng_below(&all, 3), dims[3] = {0}, rings[3], below, above;
    for (int d = 0; d < dimensions; d++)
        rings[d] = rng_below(&all, 2);
    if (dimensions > 1 && rng_below(&all, 2))
        dims[0] = 1;
    GOOD(MPI_Dims_create(size, dimensions, dims));
    GOOD(MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, rings, 0, &comm));
    ins = outs = 0;
    for (int d = 0; d < dimensions; d++) {
        GOOD(MPI_Cart_shift(comm, d, 1, &below, &above));
        in[ins++] = out[outs++] = below;
        in[ins++] = out[outs++] = above;
    }
}

/* Draw random edges between any two ranks, in both directions if `both`. */
static int draw(int (*edge)[2], bool both) {
    int count = rng_below(&all, MOST / 4) + 1;
    for (int e = 0; e < count; e++) {
        edge[e][0] = rng_below(&all, size);
        edge[e][1] = rng_below(&all, size);
    }
    for (int e = 0; both && e < count; e++) {
        edge[count + e][0] = edge[e][1];
        edge[count + e][1] = edge[e][0];
    }
    return both ? 2 * count : count;
}

static void make_graph(void) {
    int edge[MOST][2], count = draw(edge, true), index[RANKS], edges[MOST], n = 0;
    for (int r = 0; r < size; r++) {
        for (int e = 0; e < count; e++)
            if (edge[e][0] == r)
                edges[n++] = edge[e][1];
        index[r] = n;
    }
    GOOD(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm));
    GOOD(MPI_Graph_neighbors_count(comm, rank, &ins));
    GOOD(MPI_Graph_neighbors(comm, rank, MOST, in));
    outs = ins;
    memcpy(out, in, sizeof out);
}

static void make_adjacent(void) {
    int edge[MOST][2], count = draw(edge, false);
    ins = outs = 0;
    for (int e = 0; e < count; e++) { /* of several between two ranks the order is the same */
        if (edge[e][1] == rank)
            in[ins++] = edge[e][0];
        if (edge[count - 1 - e][0] == rank)
            out[outs++] = edge[count - 1 - e][1];
    }
    GOOD(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ins, in, MPI_UNWEIGHTED, outs, out, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &comm));
}

/* Make a distributed graph to which each rank contributes some edges, of any ranks. */
static void make_told(void) {
    int edge[MOST][2], count = draw(edge, false), n = 0, from[MOST], to[MOST], ones[MOST], weighted;
    for (int e = 0; e < count; e++)
        if (rng_below(&all, size) == rank) {
            from[n] = edge[e][0];
            to[n] = edge[e][1];
            ones[n++] = 1;
        }
    GOOD(MPI_Dist_graph_create(MPI_COMM_WORLD, n, from, ones, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm));
    GOOD(MPI_Dist_graph_neighbors_count(comm, &ins, &outs, &weighted));
    GOOD(MPI_Dist_graph_neighbors(comm, MOST, in, MPI_UNWEIGHTED, MOST, out, MPI_UNWEIGHTED));
}

static void make(void) {
    static void (*const ways[])(void) = {make_grid, make_graph, make_adjacent, make_told};
    int way = rng_below(&all, 4);
    grid = way == 0;
    ways[way]();
    for (int i = outs; i < MOST; i++)
        out[i] = -1;
    GOOD(MPI_Allgather(out, MOST, MPI_INT, out_of, MOST, MPI_INT, MPI_COMM_WORLD));
}

/* Return the sender's number of the edge that comes to this rank as number i. In a grid a block that goes
 * down comes from above; otherwise the first of several edges between two ranks is the first one at both of
 * them. */
static int edge_of(int i) {
    int before = 0, e = 0;
    if (grid)
        return i ^ 1;
    for (int j = 0; j < i; j++)
        before += in[j] == in[i];
    for (;; e++)
        if (out_of[in[i]][e] == rank && before-- == 0)
            return e;
}

/* ---- the calls ----------------------------------------------------------------------------------------- */

static uint32_t sent[MOST * LONGEST], got[MOST * LONGEST + 1];
static int send_count[MOST], send_at[MOST], count[MOST], at[MOST];

/* Check that block i has come, with n elements of those that its sender has along that edge. */
static void check(int i, int edge, int n) {
    for (int j = 0; in[i] != MPI_PROC_NULL && j < n; j++)
        CHECK(got[at[i] + j] == value(in[i], edge, j));
}

/* Prepare blocks of equal size, if n is not 0. */
static void prepare(int n) {
    for (int i = 0, to = 0; i < outs; i++) {
        send_count[i] = n ? n : length(rank, i);
        send_at[i] = to;
        for (int j = 0; j < send_count[i]; j++)
            sent[to++] = value(rank, i, j);
    }
    for (int i = 0, to = 0; i < ins; i++) {
        count[i] = n || in[i] == MPI_PROC_NULL ? n : length(in[i], edge_of(i));
        at[i] = to;
        to += count[i];
    }
    memset(got, 0xdd, sizeof got);
}

/* Call a function in one of three forms: done at once; begun, and completed; made, and started twice.
 * Arguments: its name, the name in small letters, its arguments without the communicator. */
static enum { AT_ONCE, BEGUN, MADE, FORMS } form;

static void complete(MPI_Request request) {
    for (int times = 0; form == MADE && times < 2; times++) {
        memset(got, 0xdd, sizeof got);
        GOOD(MPI_Start(&request));
        GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    if (form == MADE)
        GOOD(MPI_Request_free(&request));
    else
        GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

#define CALL(name, small, ...)                                                                               \
    do {                                                                                                     \
        MPI_Request own = MPI_REQUEST_NULL;                                                                  \
        if (form == AT_ONCE)                                                                                 \
            GOOD(MPI_##name(__VA_ARGS__, comm));                                                             \
        else if (form == BEGUN)                                                                              \
            GOOD(MPI_I##small(__VA_ARGS__, comm, &own));                                                     \
        else                                                                                                 \
            GOOD(MPI_##name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &own));                                 \
        complete(own);                                                                                       \
    } while (0)

static void allgather(void) {
    int n = 1 + rng_below(&all, LONGEST);
    prepare(n);
    for (int j = 0; j < n; j++)
        sent[j] = value(rank, 0, j);
    CALL(Neighbor_allgather, neighbor_allgather, sent, n, MPI_UINT32_T, got, n, MPI_UINT32_T);
    for (int i = 0; i < ins; i++)
        check(i, 0, n);
}

static void allgatherv(void) {
    prepare(0);
    for (int j = 0; j < LONGEST; j++)
        sent[j] = value(rank, 0, j);
    for (int i = 0, to = 0; i < ins; i++) {
        count[i] = in[i] == MPI_PROC_NULL ? 0 : length(in[i], 0);
        at[i] = to;
        to += count[i];
    }
    CALL(Neighbor_allgatherv, neighbor_allgatherv, sent, length(rank, 0), MPI_UINT32_T, got, count, at,
         MPI_UINT32_T);
    for (int i = 0; i < ins; i++)
        check(i, 0, count[i]);
}

static void alltoall(void) {
    int n = 1 + rng_below(&all, LONGEST);
    prepare(n);
    if (form == AT_ONCE)
        GOOD(MPI_Neighbor_alltoall_c(sent, n, MPI_UINT32_T, got, n, MPI_UINT32_T, comm));
    else
        CALL(Neighbor_alltoall, neighbor_alltoall, sent, n, MPI_UINT32_T, got, n, MPI_UINT32_T);
    for (int i = 0; i < ins; i++)
        if (in[i] != MPI_PROC_NULL)
            check(i, edge_of(i), n);
}

static void alltoallv(void) {
    prepare(0);
    CALL(Neighbor_alltoallv, neighbor_alltoallv, sent, send_count, send_at, MPI_UINT32_T, got, count, at,
         MPI_UINT32_T);
    for (int i = 0; i < ins; i++)
        if (in[i] != MPI_PROC_NULL)
            check(i, edge_of(i), count[i]);
}

/* Every second block is received as bytes, from a sender that has numbers. */
static void alltoallw(void) {
    MPI_Aint from[MOST], to[MOST];
    MPI_Datatype out_type[MOST], in_type[MOST];
    prepare(0);
    for (int i = 0; i < outs; i++) {
        from[i] = (MPI_Aint)(4 * send_at[i]);
        out_type[i] = MPI_UINT32_T;
    }
    int numbers[MOST];
    for (int i = 0; i < ins; i++) {
        to[i] = (MPI_Aint)(4 * at[i]);
        in_type[i] = i % 2 ? MPI_BYTE : MPI_UINT32_T;
        numbers[i] = i % 2 ? 4 * count[i] : count[i];
    }
    CALL(Neighbor_alltoallw, neighbor_alltoallw, sent, send_count, from, out_type, got, numbers, to, in_type);
    for (int i = 0; i < ins; i++)
        if (in[i] != MPI_PROC_NULL)
            check(i, edge_of(i), count[i]);
}

/* Run a collective while a message of the program is on its way in the same communicator. */
static void call(void) {
    static void (*const calls[])(void) = {allgather, allgatherv, alltoall, alltoallv, alltoallw};
    int next = (rank + 1) % size, token = -1;
    MPI_Request request;
    MPI_Status status;
    GOOD(MPI_Irecv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request));
    form = rng_below(&all, FORMS);
    calls[rng_below(&all, 5)]();
    GOOD(MPI_Send(&rank, 1, MPI_INT, next, 0, comm));
    GOOD(MPI_Wait(&request, &status));
    CHECK(token == (rank + size - 1) % size && status.MPI_SOURCE == token && status.MPI_TAG == 0);
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    struct campaign campaign = campaign_of(argc, argv, 50);
    seed = campaign.seed;
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    for (number = 0; number < campaign.rounds; number++) {
        all = rng_for(seed, (uint64_t)number, 0, 0);
        make();
        for (int i = rng_below(&all, 4); i >= 0; i--)
            call();
        GOOD(MPI_Comm_free(&comm));
    }
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD) == MPI_ERR_TOPOLOGY);
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}

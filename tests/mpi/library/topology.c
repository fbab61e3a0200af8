/* Topologies: grids, graphs and distributed graphs; each is made, queried and freed. With any number of
 * ranks. */

#include "mpi_check.h"

#include <string.h>

static int rank, size;

/* ---- factors ------------------------------------------------------------------------------------------- */

static void factors(int nodes, int dimensions, const int *in, const int *expected) {
    int dims[8];
    memcpy(dims, in, (size_t)dimensions * sizeof *dims);
    GOOD(MPI_Dims_create(nodes, dimensions, dims));
    CHECK(memcmp(dims, expected, (size_t)dimensions * sizeof *dims) == 0);
}

/* Compare with the product of three factors that has the least difference, found by trying all. */
static void even_factors(void) {
    for (int n = 1; n <= 400; n++) {
        int dims[3] = {0}, spread = n;
        for (int a = 1; a <= n; a++)
            for (int b = 1; n % a == 0 && b <= a; b++)
                if (n / a % b == 0 && n / a / b <= b && a - n / a / b < spread)
                    spread = a - n / a / b;
        GOOD(MPI_Dims_create(n, 3, dims));
        CHECK(dims[0] * dims[1] * dims[2] == n && dims[0] >= dims[1] && dims[1] >= dims[2]);
        CHECK(n == 1 || dims[0] - dims[2] == spread);
    }
}

static void dimensions(void) {
    int none = 0, bad[2] = {0, -1}, three[2] = {3, 0}, two[2] = {2, 2};
    const int open[8] = {0};
    factors(6, 2, open, (int[]){3, 2});
    factors(7, 2, open, (int[]){7, 1});
    factors(6, 3, (int[]){0, 3, 0}, (int[]){2, 3, 1});
    factors(24, 3, open, (int[]){4, 3, 2});
    factors(1, 8, open, (int[]){1, 1, 1, 1, 1, 1, 1, 1});
    factors(1000000000, 3, open, (int[]){1000, 1000, 1000});
    factors(2147483647, 2, open, (int[]){2147483647, 1});
    factors(2095133040, 6, open, (int[]){39, 38, 36, 35, 34, 33}); /* the number with most divisors */
    GOOD(MPI_Dims_create(5, 0, &none));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK(MPI_Dims_create(6, 2, bad) == MPI_ERR_DIMS);
    CHECK(MPI_Dims_create(7, 2, three) == MPI_ERR_DIMS);
    CHECK(MPI_Dims_create(8, 2, two) == MPI_ERR_DIMS);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    even_factors();
}

/* ---- grids --------------------------------------------------------------------------------------------- */

/* A grid of rings and lines; each rank's place is computed in another way. */
static void grid(void) {
    MPI_Comm grid, line, again;
    int dims[2] = {0}, periods[2] = {1, 0}, got[2], ring[2], at[2], n, other, below, above, status;
    GOOD(MPI_Dims_create(size, 2, dims));
    GOOD(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid));
    GOOD(MPI_Topo_test(grid, &status));
    CHECK(status == MPI_CART);
    GOOD(MPI_Cartdim_get(grid, &n));
    CHECK(n == 2);
    GOOD(MPI_Cart_get(grid, 2, got, ring, at));
    CHECK(memcmp(got, dims, sizeof dims) == 0 && ring[0] == 1 && ring[1] == 0);
    CHECK(at[0] == rank / dims[1] && at[1] == rank % dims[1]);
    for (int r = 0; r < size; r++) {
        GOOD(MPI_Cart_coords(grid, r, 2, got));
        CHECK(got[0] * dims[1] + got[1] == r);
        got[0] -= 3 * dims[0]; /* which goes round */
        GOOD(MPI_Cart_rank(grid, got, &other));
        CHECK(other == r);
    }
    GOOD(MPI_Cart_shift(grid, 0, 1, &below, &above));
    CHECK(below == (at[0] + dims[0] - 1) % dims[0] * dims[1] + at[1]);
    CHECK(above == (at[0] + 1) % dims[0] * dims[1] + at[1]);
    GOOD(MPI_Cart_shift(grid, 1, -2, &below, &above));
    CHECK(below == (at[1] + 2 < dims[1] ? rank + 2 : MPI_PROC_NULL));
    CHECK(above == (at[1] >= 2 ? rank - 2 : MPI_PROC_NULL));

    /* a copy has the topology, a part has its own, and neither depends on the freed one */
    GOOD(MPI_Comm_dup(grid, &again));
    GOOD(MPI_Cart_sub(grid, (int[]){0, 1}, &line));
    GOOD(MPI_Comm_free(&grid));
    GOOD(MPI_Cart_get(again, 2, got, ring, at));
    CHECK(got[0] == dims[0] && got[1] == dims[1]);
    GOOD(MPI_Cart_get(line, 1, got, ring, &n));
    GOOD(MPI_Comm_size(line, &other));
    CHECK(got[0] == dims[1] && other == dims[1] && ring[0] == 0 && n == at[1]);
    GOOD(MPI_Comm_free(&line));
    GOOD(MPI_Cart_sub(again, (int[]){0, 0}, &line));
    GOOD(MPI_Comm_size(line, &other));
    GOOD(MPI_Cartdim_get(line, &n));
    CHECK(other == 1 && n == 0);
    GOOD(MPI_Cart_rank(line, NULL, &other));
    CHECK(other == 0);
    GOOD(MPI_Comm_free(&line));
    GOOD(MPI_Comm_split(again, 0, 0, &line)); /* which is no grid */
    GOOD(MPI_Topo_test(line, &status));
    CHECK(status == MPI_UNDEFINED);
    GOOD(MPI_Comm_free(&line));
    GOOD(MPI_Comm_free(&again));
}

/* Grids that leave ranks out, and grids that are too large. */
static void other_grids(void) {
    MPI_Comm grid;
    int least = size > 1 ? size - 1 : 1, too_many = size + 1, n, zero = 0, one = 1;
    GOOD(MPI_Cart_create(MPI_COMM_WORLD, 1, &least, &zero, 0, &grid));
    GOOD(MPI_Cart_map(MPI_COMM_WORLD, 1, &least, &zero, &n));
    CHECK((grid == MPI_COMM_NULL) == (rank >= least) && n == (rank < least ? rank : MPI_UNDEFINED));
    if (grid != MPI_COMM_NULL)
        GOOD(MPI_Comm_free(&grid));
    GOOD(MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &grid));
    CHECK((grid == MPI_COMM_NULL) == (rank > 0));
    if (grid != MPI_COMM_NULL)
        GOOD(MPI_Comm_free(&grid));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, 1, &too_many, &zero, 0, &grid) == MPI_ERR_DIMS);
    CHECK(MPI_Cart_create(MPI_COMM_WORLD, 1, &zero, &zero, 0, &grid) == MPI_ERR_DIMS);
    CHECK(MPI_Cart_rank(MPI_COMM_WORLD, &zero, &n) == MPI_ERR_TOPOLOGY);
    GOOD(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &zero, 0, &grid)); /* it has the error handler, too */
    CHECK(MPI_Cart_rank(grid, &size, &n) == MPI_ERR_ARG);
    CHECK(MPI_Cart_coords(grid, size, 1, &n) == MPI_ERR_RANK);
    CHECK(MPI_Cart_coords(grid, 0, 0, &n) == MPI_ERR_ARG);
    CHECK(MPI_Cart_shift(grid, one, 1, &n, &n) == MPI_ERR_DIMS);
    CHECK(MPI_Graph_neighbors_count(grid, 0, &n) == MPI_ERR_TOPOLOGY);
    GOOD(MPI_Comm_free(&grid));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* ---- graphs -------------------------------------------------------------------------------------------- */

enum { MOST = 64 };

/* A star: rank 0 is a neighbour of all others, and twice of itself. */
static void star(void) {
    MPI_Comm star, again;
    int index[MOST], edges[2 * MOST + 2], got[2 * MOST + 2], n, nodes, status;
    index[0] = size + 1;
    edges[0] = edges[1] = 0;
    for (int r = 1; r < size; r++) {
        edges[1 + r] = r;
        edges[size + r] = 0;
        index[r] = size + 1 + r;
    }
    GOOD(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &star));
    GOOD(MPI_Comm_dup(star, &again));
    GOOD(MPI_Comm_free(&star));
    GOOD(MPI_Topo_test(again, &status));
    CHECK(status == MPI_GRAPH);
    GOOD(MPI_Graphdims_get(again, &nodes, &n));
    CHECK(nodes == size && n == 2 * size);
    GOOD(MPI_Graph_get(again, nodes, n, got, got));
    CHECK(memcmp(got, edges, (size_t)n * sizeof *got) == 0);
    GOOD(MPI_Graph_neighbors_count(again, 0, &n));
    CHECK(n == size + 1);
    GOOD(MPI_Graph_neighbors(again, size - 1, 1, got));
    CHECK(got[0] == 0);
    GOOD(MPI_Graph_map(MPI_COMM_WORLD, 1, index, (int[MOST + 2]){0}, &n));
    CHECK(n == (rank ? MPI_UNDEFINED : 0));
    GOOD(MPI_Comm_free(&again));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    edges[0] = size;
    CHECK(MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &star) == MPI_ERR_ARG);
    CHECK(MPI_Graph_create(MPI_COMM_WORLD, size + 1, index, edges, 0, &star) == MPI_ERR_ARG);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    GOOD(MPI_Graph_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &star));
    CHECK(star == MPI_COMM_NULL);
}

/* A ring in which each rank describes the edges to the rank before it, so that none describes its own. */
static void told_by_others(void) {
    MPI_Comm ring;
    int before = (rank + size - 1) % size, from[2] = {before, before}, degrees[2] = {1, 2};
    int to[3] = {rank, rank, (rank + 1) % size}, weights[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2};
    int in, out, weighted, got[3], weight[3], target[3], target_weight[3];
    GOOD(MPI_Dist_graph_create(MPI_COMM_WORLD, 2, from, degrees, to, weights, MPI_INFO_NULL, 0, &ring));
    GOOD(MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted));
    CHECK(in == 3 && out == 3 && weighted);
    GOOD(MPI_Dist_graph_neighbors(ring, 3, got, weight, 3, target, target_weight));
    int sum = 0, after = (rank + 1) % size, expected = 30 * after + 3;
    for (int i = 0; i < 3; i++)
        sum += target_weight[i];
    CHECK(sum == expected); /* what the next rank has told of */
    sum = 0;
    for (int i = 0; i < 3; i++)
        sum += weight[i];
    CHECK(sum == 20 * rank + 1 + 10 * before + 2);
    GOOD(MPI_Dist_graph_neighbors(ring, 1, got, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED));
    GOOD(MPI_Comm_free(&ring));
}

/* The same ranks with two edges to the next one, described by both ends, and without weights. */
static void told_by_both(void) {
    MPI_Comm ring, again;
    int before = (rank + size - 1) % size, after = (rank + 1) % size, status, in, out, weighted, got[2],
        to[2];
    GOOD(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, (int[]){before, before}, MPI_UNWEIGHTED, 2,
                                        (int[]){after, after}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring));
    GOOD(MPI_Comm_dup(ring, &again));
    GOOD(MPI_Comm_free(&ring));
    GOOD(MPI_Topo_test(again, &status));
    GOOD(MPI_Dist_graph_neighbors_count(again, &in, &out, &weighted));
    CHECK(status == MPI_DIST_GRAPH && in == 2 && out == 2 && !weighted);
    GOOD(MPI_Dist_graph_neighbors(again, 2, got, NULL, 2, to, NULL));
    CHECK(got[0] == before && got[1] == before && to[0] == after && to[1] == after);
    GOOD(MPI_Comm_free(&again));
    GOOD(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL,
                                        MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &ring));
    GOOD(MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted));
    CHECK(in == 0 && out == 0 && weighted);
    GOOD(MPI_Comm_free(&ring));
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, &rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                &ring) == MPI_ERR_ARG);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    if (rank == 0)
        dimensions();
    grid();
    other_grids();
    star();
    told_by_others();
    told_by_both();
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}

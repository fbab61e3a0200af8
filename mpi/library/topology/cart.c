/* Grids: ranks with coordinates, numbered so that the last coordinate changes first. */

#include <stdlib.h>

#include "collective/base.h"
#include "library/calls.h"
#include "library/communicator/topology.h"
#include "library/derived/split.h"
#include "library/object/address.h"

/* ---- coordinates --------------------------------------------------------------------------------------- */

/* Find the coordinates of a rank of a grid of that many dimensions. */
static void locate(int rank, int dimensions, const int *size, int *place) {
    for (int d = dimensions - 1; d >= 0; d--) {
        place[d] = rank % size[d];
        rank /= size[d];
    }
}

/* The remainder of a number of any sign. */
static int wrapped(long long number, int size) {
    return (int)((number % size + size) % size);
}

/* Return the rank that is so many steps away from this one in a dimension; or MPI_PROC_NULL. */
static int away(const struct uno_topology *t, int direction, long long steps) {
    int rank = 0;
    for (int d = 0; d < t->dimensions; d++) {
        long long at = t->place[d] + (d == direction ? steps : 0);
        if (!t->ring[d] && (at < 0 || at >= t->size[d]))
            return MPI_PROC_NULL;
        rank = rank * t->size[d] + wrapped(at, t->size[d]);
    }
    return rank;
}

/* ---- making ----------------------------------------------------------------------------------------------
 */

/* Count the ranks of a grid. Returns an error if there are more than `most`, or a size is invalid. */
static int count_ranks(int dimensions, const int *size, int most, int *ranks) {
    long long product = 1;
    if (dimensions < 0)
        return uno_error(MPI_ERR_DIMS, "ndims is %d", dimensions);
    for (int d = 0; d < dimensions; d++) {
        if (size[d] <= 0)
            return uno_error(MPI_ERR_DIMS, "dims[%d] is %d; it is at least 1", d, size[d]);
        product *= size[d];
        if (product > most)
            return uno_error(MPI_ERR_DIMS, "the grid has more ranks than the communicator, which has %d",
                             most);
    }
    *ranks = (int)product;
    return MPI_SUCCESS;
}

/* Find the neighbours: in each dimension first the one below, then the one above. A block that a rank sends
 * downwards, 2d, comes to its neighbour as block 2d + 1, from above; also where both neighbours are the same
 * rank. */
static void find_neighbours(struct uno_topology *t) {
    for (int i = 0; i < 2 * t->dimensions; i++) {
        int rank = away(t, i / 2, i % 2 ? 1 : -1);
        t->neighbours.out[i] = (struct uno_edge){rank, i};
        t->neighbours.in[i] = (struct uno_edge){rank, i ^ 1};
    }
}

/* Give a new communicator, whose ranks are those of the grid in its order, that topology. */
static void make_grid(struct uno_mpi_comm *comm, int dimensions, const int *size, const int *ring) {
    struct uno_topology *t = uno_topology_make(MPI_CART, 2 * dimensions, 2 * dimensions);
    t->dimensions = dimensions;
    t->size = uno_topology_copy(size, dimensions);
    t->ring = uno_topology_copy(ring, dimensions);
    for (int d = 0; d < dimensions; d++)
        t->ring[d] = ring[d] != 0;
    t->place = uno_topology_copy(size, dimensions);
    locate(comm->comm.rank, dimensions, size, t->place);
    find_neighbours(t);
    comm->topology = t;
}

int uno_mpi_cart_create(struct uno_mpi_comm *comm_old, int ndims, const int dims[], const int periods[],
                        int reorder, MPI_Comm *comm_cart) {
    struct uno_mpi_comm *made;
    int rank = comm_old->comm.rank, ranks, error = count_ranks(ndims, dims, comm_old->comm.size, &ranks);
    (void)reorder; /* all ranks are equally near to each other */
    *comm_cart = MPI_COMM_NULL;
    if (!error)
        error = uno_comm_split(comm_old, rank < ranks ? 0 : MPI_UNDEFINED, rank, &made);
    if (error || !made)
        return error;
    make_grid(made, ndims, dims, periods);
    *comm_cart = (MPI_Comm)made->object.handle;
    return MPI_SUCCESS;
}

int uno_mpi_cart_sub(struct uno_mpi_comm *comm, const int remain_dims[], MPI_Comm *newcomm) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_CART);
    *newcomm = MPI_COMM_NULL;
    if (!t)
        return MPI_ERR_TOPOLOGY;
    if (uno_list_check("remain_dims", remain_dims, t->dimensions))
        return MPI_ERR_ARG;
    /* ranks that agree in the dropped dimensions are together */
    int color = 0, kept = 0;
    int *size = uno_topology_copy(t->size, t->dimensions), *ring = uno_topology_copy(t->ring, t->dimensions);
    for (int d = 0; d < t->dimensions; d++)
        if (remain_dims[d]) {
            size[kept] = t->size[d];
            ring[kept++] = t->ring[d];
        } else {
            color = color * t->size[d] + t->place[d];
        }
    struct uno_mpi_comm *made;
    int error = uno_comm_split(comm, color, comm->comm.rank, &made);
    if (!error) {
        make_grid(made, kept, size, ring);
        *newcomm = (MPI_Comm)made->object.handle;
    }
    free(size);
    free(ring);
    return error;
}

int uno_mpi_cart_map(struct uno_mpi_comm *comm, int ndims, const int dims[], const int periods[],
                     int *newrank) {
    int ranks, error = count_ranks(ndims, dims, comm->comm.size, &ranks);
    (void)periods;
    if (!error)
        *newrank = comm->comm.rank < ranks ? comm->comm.rank : MPI_UNDEFINED;
    return error;
}

/* ---- questions --------------------------------------------------------------------------------------------
 */

/* Check that there is room for as many numbers as the grid has dimensions. */
static int check_room(const struct uno_topology *t, int room) {
    return room >= t->dimensions
               ? MPI_SUCCESS
               : uno_error(MPI_ERR_ARG, "maxdims is %d, and the grid has %d dimensions", room, t->dimensions);
}

int uno_mpi_cartdim_get(struct uno_mpi_comm *comm, int *ndims) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_CART);
    if (!t)
        return MPI_ERR_TOPOLOGY;
    *ndims = t->dimensions;
    return MPI_SUCCESS;
}

int uno_mpi_cart_get(struct uno_mpi_comm *comm, int maxdims, int dims[], int periods[], int coords[]) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_CART);
    int error = t ? check_room(t, maxdims) : MPI_ERR_TOPOLOGY;
    for (int d = 0; !error && d < t->dimensions; d++) {
        dims[d] = t->size[d];
        periods[d] = t->ring[d];
        coords[d] = t->place[d];
    }
    return error;
}

int uno_mpi_cart_rank(struct uno_mpi_comm *comm, const int coords[], int *rank) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_CART);
    int number = 0;
    if (!t)
        return MPI_ERR_TOPOLOGY;
    if (uno_list_check("coords", coords, t->dimensions))
        return MPI_ERR_ARG;
    for (int d = 0; d < t->dimensions; d++) {
        if (!t->ring[d] && (coords[d] < 0 || coords[d] >= t->size[d]))
            return uno_error(MPI_ERR_ARG, "coords[%d] is %d; in that dimension the grid has 0 to %d", d,
                             coords[d], t->size[d] - 1);
        number = number * t->size[d] + wrapped(coords[d], t->size[d]);
    }
    *rank = number;
    return MPI_SUCCESS;
}

int uno_mpi_cart_coords(struct uno_mpi_comm *comm, int rank, int maxdims, int coords[]) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_CART);
    int error = t ? check_room(t, maxdims) : MPI_ERR_TOPOLOGY;
    if (error)
        return error;
    if (rank < 0 || rank >= comm->comm.size)
        return uno_error(MPI_ERR_RANK, "rank is %d; the ranks are 0 to %d", rank, comm->comm.size - 1);
    locate(rank, t->dimensions, t->size, coords);
    return MPI_SUCCESS;
}

int uno_mpi_cart_shift(struct uno_mpi_comm *comm, int direction, int disp, int *rank_source, int *rank_dest) {
    const struct uno_topology *t = uno_topology_of(comm, MPI_CART);
    if (!t)
        return MPI_ERR_TOPOLOGY;
    if (direction < 0 || direction >= t->dimensions)
        return uno_error(MPI_ERR_DIMS, "direction is %d, and the grid has %d dimensions", direction,
                         t->dimensions);
    *rank_source = away(t, direction, -(long long)disp);
    *rank_dest = away(t, direction, disp);
    return MPI_SUCCESS;
}

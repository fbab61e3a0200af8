#include "accelerator/host/between.h"

#include "accelerator/host/datatype.h"
#include "accelerator/host/reduction.h"

static MPI_Comm comm_of(const void *among) {
    return *(const MPI_Comm *)among;
}

static MPI_Datatype type_of(const struct uno_layout *layout) {
    return layout == &uno_layout_bytes ? MPI_BYTE : uno_datatype_from(layout)->own;
}

static void barrier(const void *among) {
    HOST(Barrier)(comm_of(among));
}

static void bcast(const void *among, void *at, size_t count, const struct uno_layout *layout, int root) {
    HOST(Bcast)(at, (int)count, type_of(layout), root, comm_of(among));
}

static void gather(const void *among, const void *block, void *blocks, size_t bytes) {
    HOST(Gather)(block, (int)bytes, MPI_BYTE, blocks, (int)bytes, MPI_BYTE, 0, comm_of(among));
}

static void scatter(const void *among, const void *blocks, void *block, size_t bytes) {
    HOST(Scatter)(blocks, (int)bytes, MPI_BYTE, block, (int)bytes, MPI_BYTE, 0, comm_of(among));
}

static void gatherv(const void *among, const void *own, int size, void *all, const int *sizes,
                    const int *places, int root) {
    HOST(Gatherv)
    (own ? own : MPI_IN_PLACE, size, MPI_BYTE, all, sizes, places, MPI_BYTE, root, comm_of(among));
}

static void scatterv(const void *among, const void *all, const int *sizes, const int *places, void *own,
                     int size, int root) {
    HOST(Scatterv)
    (all, sizes, places, MPI_BYTE, own ? own : MPI_IN_PLACE, size, MPI_BYTE, root, comm_of(among));
}

static void allgatherv(const void *among, void *all, const int *sizes, const int *places) {
    HOST(Allgatherv)(MPI_IN_PLACE, 0, MPI_BYTE, all, sizes, places, MPI_BYTE, comm_of(among));
}

static void reduce(const void *among, const void *in, void *out, size_t count,
                   const struct uno_reduction *how, int root) {
    int rank;
    HOST(Comm_rank)(comm_of(among), &rank);
    bool mine = rank == root;
    HOST(Reduce)
    (mine && in == out ? MPI_IN_PLACE : in, mine ? out : NULL, (int)count, type_of(how->layout),
     uno_reduction_op(how), root, comm_of(among));
}

static void allreduce(const void *among, const void *in, void *out, size_t count,
                      const struct uno_reduction *how) {
    HOST(Allreduce)
    (in == out ? MPI_IN_PLACE : in, out, (int)count, type_of(how->layout), uno_reduction_op(how),
     comm_of(among));
}

const struct uno_between uno_between_host = {
    .barrier = barrier,
    .bcast = bcast,
    .gather = gather,
    .scatter = scatter,
    .gatherv = gatherv,
    .scatterv = scatterv,
    .allgatherv = allgatherv,
    .reduce = reduce,
    .allreduce = allreduce,
};

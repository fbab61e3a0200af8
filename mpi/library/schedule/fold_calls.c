/* The calls of collectives that combine data: the arguments are checked and made into a schedule. */

#include "library/schedule/begin.h"
#include "library/schedule/folds.h"

/* Describe a fold: `count` elements of this rank at sendbuf, of whose result it gets `results`. */
static int fold_of(struct uno_schedule *s, struct uno_fold *f, const void *sendbuf, void *recvbuf,
                   size_t count, size_t results, struct uno_mpi_type *type, struct uno_mpi_op *op) {
    *f = (struct uno_fold){
        .how = uno_schedule_room(s, sizeof *f->how), .in = sendbuf, .out = recvbuf, .count = count};
    if (s->comm->remote && sendbuf == MPI_IN_PLACE)
        return uno_error(MPI_ERR_BUFFER, "sendbuf is MPI_IN_PLACE, which has no meaning here");
    uno_schedule_hold(s, type);
    uno_schedule_hold(s, op);
    return uno_reduction_start(f->how, &f->in, (MPI_Count)count, recvbuf, (MPI_Count)results, type, op);
}

#define OPERANDS                                                                                             \
    const void *sendbuf, void *recvbuf, MPI_Count count, struct uno_mpi_type *datatype, struct uno_mpi_op *op
#define GIVEN sendbuf, recvbuf, count, datatype, op

static int reduce(struct uno_schedule *s, OPERANDS, int root) {
    struct uno_fold f;
    bool mine = uno_schedule_is_root(s, root);
    if (root == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (!mine && sendbuf == MPI_IN_PLACE)
        return uno_error(MPI_ERR_BUFFER, "sendbuf is MPI_IN_PLACE elsewhere than in the root");
    uno_schedule_tell(s, count, datatype, op, root);
    size_t ins = root == MPI_ROOT ? 0 : (size_t)count, outs = mine ? (size_t)count : 0;
    int error = fold_of(s, &f, sendbuf, mine ? recvbuf : NULL, ins, outs, datatype, op);
    f.count = (size_t)count;
    if (!error)
        uno_schedule_reduce(s, &f, root);
    return error;
}
UNO_BETWEEN(reduce, (OPERANDS, int root), (GIVEN, root))

static int allreduce(struct uno_schedule *s, OPERANDS) {
    struct uno_fold f;
    uno_schedule_tell(s, count, datatype, op, -1);
    int error = fold_of(s, &f, sendbuf, recvbuf, (size_t)count, (size_t)count, datatype, op);
    if (!error)
        uno_schedule_allreduce(s, &f);
    return error;
}
UNO_BETWEEN(allreduce, (OPERANDS), (GIVEN))

static int any_scan(struct uno_schedule *s, OPERANDS, bool inclusive) {
    struct uno_fold f;
    uno_schedule_tell(s, count, datatype, op, -1);
    size_t outs = inclusive || s->comm->comm.rank > 0 ? (size_t)count : 0;
    int error = uno_places_check(sendbuf, recvbuf, count > 0); /* at the first rank, too */
    if (!error)
        error = fold_of(s, &f, sendbuf, recvbuf, (size_t)count, outs, datatype, op);
    if (!error)
        uno_schedule_scan(s, &f, inclusive);
    return error;
}

static int scan(struct uno_schedule *s, OPERANDS) {
    return any_scan(s, GIVEN, true);
}
UNO_BETWEEN(scan, (OPERANDS), (GIVEN))

static int exscan(struct uno_schedule *s, OPERANDS) {
    return any_scan(s, GIVEN, false);
}
UNO_BETWEEN(exscan, (OPERANDS), (GIVEN))

/* Give rank r counts[r] elements of the result; if counts is NULL, each rank gets `even`. */
static int scatter_result(struct uno_schedule *s, const void *sendbuf, void *recvbuf,
                          const struct uno_numbers *counts, MPI_Count even, struct uno_mpi_type *datatype,
                          struct uno_mpi_op *op) {
    struct uno_fold f;
    size_t count = 0, mine = 0;
    if (counts && uno_list_check("recvcounts", counts->at, s->comm->comm.size))
        return MPI_ERR_ARG;
    for (int r = 0; r < s->comm->comm.size; r++) {
        MPI_Count n = counts ? uno_number(*counts, r) : even;
        if (n < 0)
            return uno_error(MPI_ERR_COUNT, "recvcounts[%d] is %lld", r, (long long)n);
        count += (size_t)n;
        mine = r == s->comm->comm.rank ? (size_t)n : mine;
    }
    uno_schedule_tell(s, (MPI_Count)count, datatype, op, -1);
    int error = fold_of(s, &f, sendbuf, recvbuf, count, mine, datatype, op);
    if (!error)
        uno_schedule_reduce_scatter(s, &f, counts, (size_t)even);
    return error;
}

#define BLOCK_OPERANDS                                                                                       \
    const void *sendbuf, void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *datatype,                  \
        struct uno_mpi_op *op
static int reduce_scatter_block(struct uno_schedule *s, BLOCK_OPERANDS) {
    return scatter_result(s, sendbuf, recvbuf, NULL, recvcount, datatype, op);
}
UNO_BETWEEN(reduce_scatter_block, (BLOCK_OPERANDS), (sendbuf, recvbuf, recvcount, datatype, op))

#define BLOCKS_OPERANDS                                                                                      \
    const void *sendbuf, void *recvbuf, struct uno_numbers recvcounts, struct uno_mpi_type *datatype,        \
        struct uno_mpi_op *op
static int reduce_scatter(struct uno_schedule *s, BLOCKS_OPERANDS) {
    return scatter_result(s, sendbuf, recvbuf, &recvcounts, 0, datatype, op);
}
UNO_BETWEEN(reduce_scatter, (BLOCKS_OPERANDS), (sendbuf, recvbuf, recvcounts, datatype, op))

#include "library/blocking/reductions.h"

#include "collective/operation/collective.h"
#include "library/blocking/collectives.h"
#include "library/calls.h"
#include "library/rank/face.h"
#include "library/type/address.h"

/* A function of the program that gets one argument more. */
typedef void with_last(void *in, void *inout, int *n, MPI_Datatype *type, void *last);

/* The program's function, which takes as many elements as its number can say. */
static void apply(const void *context, const void *in, void *inout, size_t count) {
    const struct uno_mpi_reduction *r = context;
    uintptr_t handle = (r->op->fortran ? uno_face.fortran : uno_face.handle)(r->type->object.handle);
    MPI_Datatype *type = (MPI_Datatype *)&handle;
    if (r->op->large) {
        MPI_Count n = (MPI_Count)count;
        ((MPI_User_function_c *)r->op->function)((void *)in, inout, &n, type);
    } else {
        int n = (int)count;
        if (r->op->last)
            ((with_last *)r->op->function)((void *)in, inout, &n, type, r->op->last);
        else
            ((MPI_User_function *)r->op->function)((void *)in, inout, &n, type);
    }
}

static void combine(const void *context, const void *const *data, int n, size_t count, void *out) {
    const struct uno_mpi_reduction *r = context;
    uno_ordered_combine(&r->ordered, data, n, count, out);
}

int uno_reduction_by_function(struct uno_mpi_reduction *r, const struct uno_mpi_type *type,
                              const struct uno_mpi_op *op) {
    if (!op->function)
        return uno_error(MPI_ERR_OP, "the operation does not combine elements of this type");
    r->how.combine = combine;
    r->how.context = r;
    r->ordered = (struct uno_ordered){&type->layout, (ptrdiff_t)type->true_low, apply, r};
    r->op = op;
    r->type = type;
    return MPI_SUCCESS;
}

int uno_operands_check(const void *in, MPI_Count ins, const void *out, MPI_Count outs,
                       const struct uno_mpi_type *type) {
    if (out == MPI_IN_PLACE)
        return uno_error(MPI_ERR_BUFFER, "recvbuf is MPI_IN_PLACE; it is sendbuf that may be");
    int error = in == out ? MPI_SUCCESS : uno_address_check("sendbuf", in, ins, type);
    return error ? error : uno_address_check("recvbuf", out, in == out ? ins : outs, type);
}

int uno_mpi_reduce_local(const void *inbuf, void *inoutbuf, MPI_Count count, struct uno_mpi_type *datatype,
                         struct uno_mpi_op *op) {
    struct uno_mpi_reduction r;
    int error = uno_reduction_of(&r, datatype, op);
    if (!error)
        error = uno_places_check(inbuf, inoutbuf, count > 0);
    if (error || !count)
        return error;
    if (!r.how.kernel) {
        uno_ordered_apply(&r.ordered, inbuf, inoutbuf, (size_t)count);
        return MPI_SUCCESS;
    }
    r.how.kernel((const void *const[]){inbuf, inoutbuf}, 2, (size_t)count, inoutbuf);
    return MPI_SUCCESS;
}

/* ---- collectives ------------------------------------------------------------------------------------- */

/* A rank alone: its elements are the result. */
static int alone(const void *in, void *out, MPI_Count count, struct uno_mpi_type *type) {
    struct uno_data from = {(void *)in, (size_t)count, &type->layout},
                    to = {out, (size_t)count, &type->layout};
    return in == out ? MPI_SUCCESS : uno_move(&from, &to);
}

int uno_mpi_reduce(const void *sendbuf, void *recvbuf, MPI_Count count, struct uno_mpi_type *datatype,
                   struct uno_mpi_op *op, int root, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    struct uno_mpi_reduction r;
    if (c->rank != root && sendbuf == MPI_IN_PLACE)
        return uno_error(MPI_ERR_BUFFER, "sendbuf is MPI_IN_PLACE elsewhere than in the root");
    bool mine = c->rank == root;
    void *result = mine ? recvbuf : (void *)sendbuf; /* elsewhere none comes */
    int error = uno_reduction_start(&r, &sendbuf, count, result, mine ? count : 0, datatype, op);
    if (error || c->size == 1)
        return error ? error : alone(sendbuf, recvbuf, count, datatype);
    uno_tell(comm, count, datatype, op, root);
    return uno_outcome(comm, uno_reduce(c, sendbuf, recvbuf, (size_t)count, &r.how, root),
                       (size_t)count * datatype->layout.size);
}

int uno_mpi_allreduce(const void *sendbuf, void *recvbuf, MPI_Count count, struct uno_mpi_type *datatype,
                      struct uno_mpi_op *op, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    struct uno_mpi_reduction r;
    int error = uno_reduction_start(&r, &sendbuf, count, recvbuf, count, datatype, op);
    if (error || c->size == 1)
        return error ? error : alone(sendbuf, recvbuf, count, datatype);
    uno_tell(comm, count, datatype, op, -1);
    return uno_outcome(comm, uno_allreduce(c, sendbuf, recvbuf, (size_t)count, &r.how),
                       (size_t)count * datatype->layout.size);
}

static int scan(bool inclusive, const void *sendbuf, void *recvbuf, MPI_Count count,
                struct uno_mpi_type *datatype, struct uno_mpi_op *op, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    struct uno_mpi_reduction r;
    MPI_Count outs = inclusive || c->rank > 0 ? count : 0;
    int error = uno_places_check(sendbuf, recvbuf, count > 0); /* at the first rank, too */
    if (!error)
        error = uno_reduction_start(&r, &sendbuf, count, recvbuf, outs, datatype, op);
    if (error || c->size == 1)
        return error || !inclusive ? error : alone(sendbuf, recvbuf, count, datatype);
    uno_tell(comm, count, datatype, op, -1);
    return uno_outcome(comm, uno_scan(c, inclusive, sendbuf, recvbuf, (size_t)count, &r.how),
                       (size_t)count * datatype->layout.size);
}

int uno_mpi_scan(const void *sendbuf, void *recvbuf, MPI_Count count, struct uno_mpi_type *datatype,
                 struct uno_mpi_op *op, struct uno_mpi_comm *comm) {
    return scan(true, sendbuf, recvbuf, count, datatype, op, comm);
}

int uno_mpi_exscan(const void *sendbuf, void *recvbuf, MPI_Count count, struct uno_mpi_type *datatype,
                   struct uno_mpi_op *op, struct uno_mpi_comm *comm) {
    return scan(false, sendbuf, recvbuf, count, datatype, op, comm);
}

int uno_mpi_reduce_scatter_block(const void *sendbuf, void *recvbuf, MPI_Count recvcount,
                                 struct uno_mpi_type *datatype, struct uno_mpi_op *op,
                                 struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    struct uno_mpi_reduction r;
    int error = uno_reduction_start(&r, &sendbuf, recvcount, recvbuf, recvcount, datatype, op);
    if (error || c->size == 1)
        return error ? error : alone(sendbuf, recvbuf, recvcount, datatype);
    uno_tell(comm, recvcount, datatype, op, -1);
    return uno_outcome(comm, uno_reduce_scatter_block(c, sendbuf, recvbuf, (size_t)recvcount, &r.how),
                       (size_t)recvcount * datatype->layout.size);
}

int uno_mpi_reduce_scatter(const void *sendbuf, void *recvbuf, struct uno_numbers recvcounts,
                           struct uno_mpi_type *datatype, struct uno_mpi_op *op, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    struct uno_mpi_reduction r;
    struct uno_counts counts = {recvcounts.at, NULL, recvcounts.large};
    size_t total = 0, elements = 0;
    if (uno_list_check("recvcounts", recvcounts.at, c->size))
        return MPI_ERR_ARG;
    for (int i = 0; i < c->size; i++) {
        MPI_Count n = uno_number(recvcounts, i);
        if (n < 0 || n > INT_MAX)
            return uno_error(MPI_ERR_COUNT, "recvcounts[%d] is %lld", i, (long long)n);
        elements += (size_t)n;
    }
    total = elements * datatype->layout.size;
    int error = uno_reduction_start(&r, &sendbuf, (MPI_Count)elements, recvbuf,
                                    uno_number(recvcounts, c->rank), datatype, op);
    if (error || c->size == 1)
        return error ? error : alone(sendbuf, recvbuf, uno_number(recvcounts, 0), datatype);
    uno_tell(comm, 0, NULL, op, -1);
    return uno_outcome(comm, uno_reduce_scatter(c, sendbuf, recvbuf, &counts, &r.how), total);
}

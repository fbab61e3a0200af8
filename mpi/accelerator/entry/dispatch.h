/* The step from the arguments of MPI's functions to operations: the owner of the communicator, the objects
 * behind the handles, the plain validity of the arguments, and the choice between one node and several. Each
 * function returns true if the work is done; otherwise nothing has happened, on any rank, and the host must
 * do it. None of them looks for errors: arguments that are not plainly valid are left to the host, whose
 * errors the program knows.
 *
 * This file has the functions in which a few nanoseconds count; the others are in dispatch.c. */

#ifndef UNO_DISPATCH_H
#define UNO_DISPATCH_H

#include "accelerator/host/comm.h"
#include "accelerator/host/reduction.h"
#include "collective/operation/collective.h"
#include "collective/hierarchy/hierarchical.h"

static inline bool uno_is_hosts(const struct uno_comm *c) {
    return !c->lane && !c->nodes;
}

/* Return true if the buffer can hold that type. A null address can, for a derived type with absolute
 * addresses. */
static inline bool uno_is_buffer(const void *buffer, const struct uno_datatype *t) {
    return buffer || !t->layout.plain;
}

/* Return true if MPI forbids the call and the host reports it: the same buffer for sending and receiving.
 * Open MPI permits it, and then this library must too, since not every rank need do it. */
static inline bool uno_is_refused(const void *in, const void *out) {
    return !UNO_MPI_OPENMPI && in == out;
}

static inline bool uno_enter_barrier(MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    if (UNO_LIKELY(c->lane))
        return uno_barrier(c);
    return c->nodes && uno_hierarchical_barrier(c);
}

static inline bool uno_enter_bcast(void *out, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    if (UNO_UNLIKELY(uno_is_hosts(c)))
        return false;
    const struct uno_datatype *t = uno_datatype_of(type);
    if (UNO_UNLIKELY((unsigned)root >= (unsigned)c->size || !uno_is_buffer(out, t)))
        return false;
    if (UNO_LIKELY(c->lane))
        return uno_bcast(c, out, (size_t)count, &t->layout, root);
    return uno_hierarchical_bcast(c, out, (size_t)count, &t->layout, root);
}

static inline bool uno_enter_allreduce(const void *in, void *out, MPI_Count count, MPI_Datatype type,
                                       MPI_Op op, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    struct uno_host_reduction r;
    if (UNO_UNLIKELY(uno_is_hosts(c)))
        return false;
    const struct uno_datatype *t = uno_datatype_of(type);
    if (UNO_UNLIKELY(!uno_reduction_of(&r, t, op) || !uno_is_buffer(in, t) || !uno_is_buffer(out, t) ||
                     out == MPI_IN_PLACE || uno_is_refused(in, out)))
        return false;
    in = in == MPI_IN_PLACE ? out : in;
    if (UNO_LIKELY(c->lane))
        return uno_allreduce(c, in, out, (size_t)count, &r.how);
    r.how.any_order = uno_reduction_any_order(&r);
    return uno_hierarchical_allreduce(c, in, out, (size_t)count, &r.how);
}

bool uno_enter_gather(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                      MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
bool uno_enter_allgather(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                         MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm);
bool uno_enter_scatter(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                       MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
bool uno_enter_alltoall(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                        MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm);

/* error: set if the root receives more than it expected. */
bool uno_enter_gatherv(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                       const struct uno_counts *out_counts, MPI_Datatype out_type, int root, MPI_Comm comm,
                       int *error);
bool uno_enter_allgatherv(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                          const struct uno_counts *out_counts, MPI_Datatype out_type, MPI_Comm comm);
bool uno_enter_scatterv(const void *in, const struct uno_counts *in_counts, MPI_Datatype in_type, void *out,
                        MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm);
bool uno_enter_alltoallv(const void *in, const struct uno_counts *in_counts, MPI_Datatype in_type, void *out,
                         const struct uno_counts *out_counts, MPI_Datatype out_type, MPI_Comm comm);

bool uno_enter_reduce(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                      MPI_Comm comm);
bool uno_enter_scan(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
bool uno_enter_exscan(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm);
bool uno_enter_reduce_scatter_block(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                    MPI_Comm comm);
bool uno_enter_reduce_scatter(const void *in, void *out, const struct uno_counts *counts, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm);

#endif

#include "accelerator/entry/dispatch.h"

#include <limits.h>

#include "collective/transport/plan.h"

_Static_assert(sizeof(MPI_Count) == sizeof(int64_t) && sizeof(MPI_Aint) == sizeof(int64_t),
               "arrays of large counts and displacements are passed on as they are");

/* Describe so many elements of the type, if it is not NULL. */
static struct uno_data data_of(const void *at, MPI_Count count, const struct uno_datatype *t) {
    return (struct uno_data){(void *)at, (size_t)count, t ? &t->layout : NULL};
}

static size_t bytes_of(MPI_Count count, const struct uno_datatype *t) {
    return (size_t)count * t->layout.size;
}

/* ---- equal blocks ------------------------------------------------------------------------------------ */

bool uno_enter_gather(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                      MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    if (uno_is_hosts(c) || (unsigned)root >= (unsigned)c->size)
        return false;
    bool mine = c->rank == root, in_place = mine && in == MPI_IN_PLACE;
    const struct uno_datatype *from = in_place ? NULL : uno_datatype_of(in_type);
    const struct uno_datatype *to = mine ? uno_datatype_of(out_type) : NULL;
    if ((to && (!uno_is_buffer(out, to) || uno_is_refused(in, out))) ||
        (from && (!uno_is_buffer(in, from) || in == MPI_IN_PLACE)) ||
        (from && to && bytes_of(in_count, from) != bytes_of(out_count, to)))
        return false;
    struct uno_data own = data_of(in, in_count, from), all = data_of(out, out_count, to);
    return (c->lane ? uno_gather : uno_hierarchical_gather)(c, from ? &own : NULL, to ? &all : NULL, root);
}

bool uno_enter_scatter(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                       MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    if (uno_is_hosts(c) || (unsigned)root >= (unsigned)c->size)
        return false;
    bool mine = c->rank == root, in_place = mine && out == MPI_IN_PLACE;
    const struct uno_datatype *from = mine ? uno_datatype_of(in_type) : NULL;
    const struct uno_datatype *to = in_place ? NULL : uno_datatype_of(out_type);
    if ((from && (!uno_is_buffer(in, from) || uno_is_refused(in, out))) ||
        (to && (!uno_is_buffer(out, to) || out == MPI_IN_PLACE)) ||
        (from && to && bytes_of(in_count, from) != bytes_of(out_count, to)))
        return false;
    struct uno_data all = data_of(in, in_count, from), own = data_of(out, out_count, to);
    return (c->lane ? uno_scatter : uno_hierarchical_scatter)(c, from ? &all : NULL, to ? &own : NULL, root);
}

/* Fill in the data of Allgather and Alltoall: those to send, or NULL if they are in place, and those to
 * receive. False: the call is the host's. */
static bool both_ways(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                      MPI_Count out_count, MPI_Datatype out_type, struct uno_data *send,
                      struct uno_data *receive) {
    bool in_place = in == MPI_IN_PLACE;
    const struct uno_datatype *to = uno_datatype_of(out_type);
    const struct uno_datatype *from = in_place ? NULL : uno_datatype_of(in_type);
    *send = data_of(in, in_count, from);
    *receive = data_of(out, out_count, to);
    return uno_is_buffer(out, to) && !uno_is_refused(in, out) &&
           (in_place || (uno_is_buffer(in, from) && bytes_of(in_count, from) == bytes_of(out_count, to)));
}

bool uno_enter_allgather(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                         MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    struct uno_data send, receive;
    if (uno_is_hosts(c) || !both_ways(in, in_count, in_type, out, out_count, out_type, &send, &receive))
        return false;
    if (UNO_LIKELY(c->lane))
        return uno_allgather(c, send.layout ? &send : NULL, &receive);
    return uno_hierarchical_allgather(c, send.layout ? &send : NULL, &receive);
}

bool uno_enter_alltoall(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                        MPI_Count out_count, MPI_Datatype out_type, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    struct uno_data send, receive;
    if (!c->lane || !both_ways(in, in_count, in_type, out, out_count, out_type, &send, &receive))
        return false;
    return uno_alltoall(c, send.layout ? &send : NULL, &receive);
}

/* ---- blocks of different sizes, on one node alone --------------------------------------------------------
 *
 * Where no rank knows all sizes the plan is asked first: a rank whose arguments are not valid counts, too. */

/* False only in a program that is wrong, of which the host is to say so. */
static bool is_valid(const void *buffer, const struct uno_datatype *t) {
    return uno_load64_relaxed(&t->handle) && buffer != MPI_IN_PLACE;
}

bool uno_enter_gatherv(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                       const struct uno_counts *out_counts, MPI_Datatype out_type, int root, MPI_Comm comm,
                       int *error) {
    struct uno_comm *c = uno_comm_of(comm);
    if (uno_plan_passes(c, UNO_MPI_GATHERV) || (unsigned)root >= (unsigned)c->size)
        return false;
    bool mine = c->rank == root, in_place = mine && in == MPI_IN_PLACE, truncated = false;
    const struct uno_datatype *from = in_place ? NULL : uno_datatype_of(in_type);
    const struct uno_datatype *to = mine ? uno_datatype_of(out_type) : NULL;
    if ((from && !is_valid(in, from)) || (to && !is_valid(out, to)))
        return false;
    struct uno_data own = data_of(in, in_count, from);
    struct uno_varied all = {out, *out_counts, to ? &to->layout : NULL};
    bool done = uno_gatherv(c, from ? &own : NULL, to ? &all : NULL, root, &truncated);
    if (truncated)
        *error = MPI_ERR_TRUNCATE;
    return done;
}

bool uno_enter_allgatherv(const void *in, MPI_Count in_count, MPI_Datatype in_type, void *out,
                          const struct uno_counts *out_counts, MPI_Datatype out_type, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    if (!c->lane)
        return false;
    bool in_place = in == MPI_IN_PLACE;
    const struct uno_datatype *to = uno_datatype_of(out_type);
    const struct uno_datatype *from = in_place ? NULL : uno_datatype_of(in_type);
    if (!is_valid(out, to) ||
        (from && (!is_valid(in, from) || uno_bytes_of(in_count, &from->layout) !=
                                             uno_bytes_of(uno_count_of(out_counts, c->rank), &to->layout))))
        return false;
    struct uno_data own = data_of(in, in_count, from);
    struct uno_varied all = {out, *out_counts, &to->layout};
    return uno_allgatherv(c, from ? &own : NULL, &all);
}

bool uno_enter_scatterv(const void *in, const struct uno_counts *in_counts, MPI_Datatype in_type, void *out,
                        MPI_Count out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    if (uno_plan_passes(c, UNO_MPI_SCATTERV) || (unsigned)root >= (unsigned)c->size)
        return false;
    bool mine = c->rank == root, in_place = mine && out == MPI_IN_PLACE;
    const struct uno_datatype *from = mine ? uno_datatype_of(in_type) : NULL;
    const struct uno_datatype *to = in_place ? NULL : uno_datatype_of(out_type);
    if ((from && !is_valid(in, from)) ||
        (to && (!is_valid(out, to) || uno_bytes_of(out_count, &to->layout) > INT_MAX)))
        return false;
    struct uno_varied all = {(void *)in, *in_counts, from ? &from->layout : NULL};
    struct uno_data own = data_of(out, out_count, to);
    return uno_scatterv(c, from ? &all : NULL, to ? &own : NULL, root);
}

bool uno_enter_alltoallv(const void *in, const struct uno_counts *in_counts, MPI_Datatype in_type, void *out,
                         const struct uno_counts *out_counts, MPI_Datatype out_type, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    if (uno_plan_passes(c, UNO_MPI_ALLTOALLV))
        return false;
    bool in_place = in == MPI_IN_PLACE;
    const struct uno_datatype *to = uno_datatype_of(out_type);
    const struct uno_datatype *from = in_place ? NULL : uno_datatype_of(in_type);
    if (!is_valid(out, to) || (from && !is_valid(in, from)))
        return false;
    struct uno_varied send = {(void *)in, *in_counts, from ? &from->layout : NULL};
    struct uno_varied receive = {out, *out_counts, &to->layout};
    return uno_alltoallv(c, from ? &send : NULL, &receive);
}

/* ---- reductions -------------------------------------------------------------------------------------- */

/* Every rank receives. Fill in how elements are combined, and where this rank's are. False: the host's. */
static bool everyone(struct uno_host_reduction *r, const void **in, void *out, MPI_Datatype type, MPI_Op op) {
    const struct uno_datatype *t = uno_datatype_of(type);
    if (!uno_reduction_of(r, t, op) || !uno_is_buffer(*in, t) || !uno_is_buffer(out, t) ||
        out == MPI_IN_PLACE || uno_is_refused(*in, out))
        return false;
    *in = *in == MPI_IN_PLACE ? out : *in;
    return true;
}

bool uno_enter_reduce(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                      MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    struct uno_host_reduction r;
    if (uno_is_hosts(c) || (unsigned)root >= (unsigned)c->size)
        return false;
    const struct uno_datatype *t = uno_datatype_of(type);
    bool mine = c->rank == root;
    if (!uno_reduction_of(&r, t, op) || !uno_is_buffer(in, t) || (in == MPI_IN_PLACE && !mine) ||
        (mine && (!uno_is_buffer(out, t) || out == MPI_IN_PLACE || uno_is_refused(in, out))))
        return false;
    in = in == MPI_IN_PLACE ? out : in;
    if (c->lane)
        return uno_reduce(c, in, out, (size_t)count, &r.how, root);
    r.how.any_order = uno_reduction_any_order(&r);
    return uno_hierarchical_reduce(c, in, out, (size_t)count, &r.how, root);
}

static bool scan(bool inclusive, const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                 MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    struct uno_host_reduction r;
    if (uno_is_hosts(c) || !everyone(&r, &in, out, type, op))
        return false;
    if (UNO_LIKELY(c->lane))
        return uno_scan(c, inclusive, in, out, (size_t)count, &r.how);
    return uno_hierarchical_scan(c, inclusive, in, out, (size_t)count, &r.how);
}

bool uno_enter_scan(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return scan(true, in, out, count, type, op, comm);
}

bool uno_enter_exscan(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                      MPI_Comm comm) {
    return scan(false, in, out, count, type, op, comm);
}

bool uno_enter_reduce_scatter_block(const void *in, void *out, MPI_Count count, MPI_Datatype type, MPI_Op op,
                                    MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    struct uno_host_reduction r;
    if (!c->lane || !everyone(&r, &in, out, type, op))
        return false;
    return uno_reduce_scatter_block(c, in, out, (size_t)count, &r.how);
}

bool uno_enter_reduce_scatter(const void *in, void *out, const struct uno_counts *counts, MPI_Datatype type,
                              MPI_Op op, MPI_Comm comm) {
    struct uno_comm *c = uno_comm_of(comm);
    struct uno_host_reduction r;
    if (!c->lane || !everyone(&r, &in, out, type, op))
        return false;
    for (int i = 0; i < c->size; i++)
        if (uno_count_of(counts, i) < 0 || uno_count_of(counts, i) > INT_MAX)
            return false;
    return uno_reduce_scatter(c, in, out, counts, &r.how);
}

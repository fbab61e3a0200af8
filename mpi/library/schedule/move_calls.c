/* The calls of collectives that move data, or only wait: what one says is looked at, and made a schedule. */

#include "collective/operation/collective.h"
#include "library/schedule/begin.h"
#include "library/schedule/moves.h"

/* ---- waiting, and one rank's data for all ------------------------------------------------------------- */

int uno_mpi_ibarrier(struct uno_mpi_comm *comm, MPI_Request *request) {
    struct uno_schedule *s = uno_schedule_make(comm, UNO_SCHEDULE_barrier, UNO_BEGUN);
    uno_schedule_barrier(s);
    return uno_schedule_begin(s, MPI_SUCCESS, request);
}

int uno_mpi_barrier_init(struct uno_mpi_comm *comm, struct uno_mpi_info *info, MPI_Request *request) {
    struct uno_schedule *s = uno_schedule_make(comm, UNO_SCHEDULE_barrier, UNO_MADE);
    (void)info;
    uno_schedule_barrier(s);
    return uno_schedule_begin(s, MPI_SUCCESS, request);
}

/* Two groups can meet on the boards, unless several threads may want to. */
int uno_inter_barrier(struct uno_mpi_comm *comm) {
    if (!uno_rank->scheduled) {
        uno_barrier(comm->both);
        return MPI_SUCCESS;
    }
    struct uno_schedule *s = uno_schedule_make(comm, UNO_SCHEDULE_barrier, UNO_AT_ONCE);
    uno_schedule_barrier(s);
    return uno_schedule_do(s, MPI_SUCCESS);
}

static int bcast(struct uno_schedule *s, void *buffer, MPI_Count count, struct uno_mpi_type *datatype,
                 int root) {
    struct uno_mpi_blocks blocks = uno_blocks_even(buffer, count, datatype);
    if (root == MPI_PROC_NULL)
        return MPI_SUCCESS;
    int error = uno_blocks_check(s, "", &blocks, 1);
    if (error)
        return error;
    struct uno_data data = uno_block(&blocks, 0);
    uno_schedule_tell(s, count, datatype, NULL, root);
    uno_schedule_bcast(s, &data, root);
    return MPI_SUCCESS;
}
UNO_BETWEEN(bcast, (void *buffer, MPI_Count count, struct uno_mpi_type *datatype, int root),
            (buffer, count, datatype, root))

/* ---- blocks, of one size or of many ---------------------------------------------------------------------
 */

/* A block of this rank's, which is as large as all others unless each has a count of its own. root: -1: there
 * is none. */
static void tell_block(struct uno_schedule *s, MPI_Count count, struct uno_mpi_type *type, int root) {
    bool even = s->of == UNO_SCHEDULE_gather || s->of == UNO_SCHEDULE_scatter ||
                s->of == UNO_SCHEDULE_allgather || s->of == UNO_SCHEDULE_alltoall;
    uno_schedule_tell(s, even ? count : 0, even ? type : NULL, NULL, root);
}

/* Describe one block of this rank. at: MPI_IN_PLACE where `in_place`; then *one is NULL, and otherwise
 * *data. */
static int one_block(struct uno_schedule *s, const char *name, const void *at, MPI_Count count,
                     struct uno_mpi_type *type, bool in_place, struct uno_data *data,
                     const struct uno_data **one) {
    struct uno_mpi_blocks blocks = uno_blocks_even(at, count, type);
    *one = NULL;
    if (in_place && at == MPI_IN_PLACE)
        return MPI_SUCCESS;
    int error = uno_blocks_check(s, name, &blocks, 1);
    if (!error)
        *data = uno_block(&blocks, 0);
    *one = data;
    return error;
}

static int gather_blocks(struct uno_schedule *s, const void *sendbuf, MPI_Count sendcount,
                         struct uno_mpi_type *sendtype, const struct uno_mpi_blocks *out, int root) {
    struct uno_data in;
    const struct uno_data *given = NULL;
    bool mine = uno_schedule_is_root(s, root);
    int error = MPI_SUCCESS;
    if (root >= 0)
        error = one_block(s, "send", sendbuf, sendcount, sendtype, mine, &in, &given);
    if (!error && mine)
        error = uno_blocks_check(s, "recv", out, s->comm->peers);
    if (!error && mine && given)
        error = uno_block_check(given, out, root);
    if (error || root == MPI_PROC_NULL)
        return error;
    tell_block(s, given ? sendcount : out->count, given ? sendtype : out->type, root);
    uno_schedule_gather(s, given, out, root);
    return MPI_SUCCESS;
}

static int scatter_blocks(struct uno_schedule *s, const struct uno_mpi_blocks *in, void *recvbuf,
                          MPI_Count recvcount, struct uno_mpi_type *recvtype, int root) {
    struct uno_data out;
    const struct uno_data *taken = NULL;
    bool mine = uno_schedule_is_root(s, root);
    int error = MPI_SUCCESS;
    if (root >= 0)
        error = one_block(s, "recv", recvbuf, recvcount, recvtype, mine, &out, &taken);
    if (!error && mine)
        error = uno_blocks_check(s, "send", in, s->comm->peers);
    if (!error && mine && taken)
        error = uno_block_check(taken, in, root);
    if (error || root == MPI_PROC_NULL)
        return error;
    tell_block(s, taken ? recvcount : in->count, taken ? recvtype : in->type, root);
    uno_schedule_scatter(s, in, taken, root);
    return MPI_SUCCESS;
}

static int allgather_blocks(struct uno_schedule *s, const void *sendbuf, MPI_Count sendcount,
                            struct uno_mpi_type *sendtype, const struct uno_mpi_blocks *out) {
    struct uno_data in;
    const struct uno_data *given;
    int error = uno_blocks_check(s, "recv", out, s->comm->peers);
    if (!error)
        error = one_block(s, "send", sendbuf, sendcount, sendtype, !s->comm->remote, &in, &given);
    if (!error && given && !s->comm->remote)
        error = uno_block_check(given, out, s->comm->comm.rank);
    if (error)
        return error;
    tell_block(s, out->count, out->type, -1);
    uno_schedule_allgather(s, given, out);
    return MPI_SUCCESS;
}

static int alltoall_blocks(struct uno_schedule *s, const struct uno_mpi_blocks *in,
                           const struct uno_mpi_blocks *out) {
    int n = s->comm->peers, error = uno_blocks_check(s, "recv", out, n);
    bool in_place = in->at == MPI_IN_PLACE && !s->comm->remote;
    if (!error && !in_place)
        error = uno_blocks_check(s, "send", in, n);
    if (!error && !in_place && !s->comm->remote) {
        struct uno_data own = uno_block(in, s->comm->comm.rank);
        error = uno_block_check(&own, out, s->comm->comm.rank);
    }
    if (error)
        return error;
    tell_block(s, out->count, out->type, -1);
    uno_schedule_alltoall(s, in_place ? NULL : in, out);
    return MPI_SUCCESS;
}

#define ONE_SENT const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype
#define ONE_RECEIVED void *recvbuf, MPI_Count recvcount, struct uno_mpi_type *recvtype
#define EVEN ONE_SENT, ONE_RECEIVED
#define EVEN_GIVEN sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype

static int gather(struct uno_schedule *s, EVEN, int root) {
    struct uno_mpi_blocks out = uno_blocks_even(recvbuf, recvcount, recvtype);
    return gather_blocks(s, sendbuf, sendcount, sendtype, &out, root);
}
UNO_BETWEEN(gather, (EVEN, int root), (EVEN_GIVEN, root))

static int scatter(struct uno_schedule *s, EVEN, int root) {
    struct uno_mpi_blocks in = uno_blocks_even(sendbuf, sendcount, sendtype);
    return scatter_blocks(s, &in, recvbuf, recvcount, recvtype, root);
}
UNO_BETWEEN(scatter, (EVEN, int root), (EVEN_GIVEN, root))

static int allgather(struct uno_schedule *s, EVEN) {
    struct uno_mpi_blocks out = uno_blocks_even(recvbuf, recvcount, recvtype);
    return allgather_blocks(s, sendbuf, sendcount, sendtype, &out);
}
UNO_BETWEEN(allgather, (EVEN), (EVEN_GIVEN))

static int alltoall(struct uno_schedule *s, EVEN) {
    struct uno_mpi_blocks in = uno_blocks_even(sendbuf, sendcount, sendtype);
    struct uno_mpi_blocks out = uno_blocks_even(recvbuf, recvcount, recvtype);
    return alltoall_blocks(s, &in, &out);
}
UNO_BETWEEN(alltoall, (EVEN), (EVEN_GIVEN))

#define MANY_RECEIVED                                                                                        \
    void *recvbuf, struct uno_numbers recvcounts, struct uno_numbers displs, struct uno_mpi_type *recvtype
#define MANY_SENT                                                                                            \
    const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers displs,                           \
        struct uno_mpi_type *sendtype

static int gatherv(struct uno_schedule *s, ONE_SENT, MANY_RECEIVED, int root) {
    struct uno_mpi_blocks out = uno_blocks_varied(recvbuf, recvcounts, "displs", displs, recvtype);
    return gather_blocks(s, sendbuf, sendcount, sendtype, &out, root);
}
UNO_BETWEEN(gatherv, (ONE_SENT, MANY_RECEIVED, int root),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root))

static int scatterv(struct uno_schedule *s, MANY_SENT, ONE_RECEIVED, int root) {
    struct uno_mpi_blocks in = uno_blocks_varied(sendbuf, sendcounts, "displs", displs, sendtype);
    return scatter_blocks(s, &in, recvbuf, recvcount, recvtype, root);
}
UNO_BETWEEN(scatterv, (MANY_SENT, ONE_RECEIVED, int root),
            (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root))

static int allgatherv(struct uno_schedule *s, ONE_SENT, MANY_RECEIVED) {
    struct uno_mpi_blocks out = uno_blocks_varied(recvbuf, recvcounts, "displs", displs, recvtype);
    return allgather_blocks(s, sendbuf, sendcount, sendtype, &out);
}
UNO_BETWEEN(allgatherv, (ONE_SENT, MANY_RECEIVED),
            (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype))

#define BOTH_MANY(type, name)                                                                                \
    const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers sdispls, type send##name,         \
        void *recvbuf, struct uno_numbers recvcounts, struct uno_numbers rdispls, type recv##name
#define BOTH_MANY_GIVEN(name)                                                                                \
    sendbuf, sendcounts, sdispls, send##name, recvbuf, recvcounts, rdispls, recv##name

static int alltoallv(struct uno_schedule *s, BOTH_MANY(struct uno_mpi_type *, type)) {
    struct uno_mpi_blocks in = uno_blocks_varied(sendbuf, sendcounts, "sdispls", sdispls, sendtype);
    struct uno_mpi_blocks out = uno_blocks_varied(recvbuf, recvcounts, "rdispls", rdispls, recvtype);
    return alltoall_blocks(s, &in, &out);
}
UNO_BETWEEN(alltoallv, (BOTH_MANY(struct uno_mpi_type *, type)), (BOTH_MANY_GIVEN(type)))

static int alltoallw(struct uno_schedule *s, BOTH_MANY(const MPI_Datatype *, types)) {
    struct uno_mpi_blocks in = uno_blocks_typed(sendbuf, sendcounts, "sdispls", sdispls, sendtypes);
    struct uno_mpi_blocks out = uno_blocks_typed(recvbuf, recvcounts, "rdispls", rdispls, recvtypes);
    return alltoall_blocks(s, &in, &out);
}
UNO_BETWEEN(alltoallw, (BOTH_MANY(const MPI_Datatype *, types)), (BOTH_MANY_GIVEN(types)))

/* The blocking collectives: a call's arguments are checked and converted for mpi/collective, which does the
 * work. Communicators of one rank are left to this file: their data only move. The calls that combine data
 * are in reductions.c. */

#include "library/blocking/collectives.h"

#include <stdio.h>

#include "collective/operation/collective.h"
#include "library/calls.h"
#include "library/type/address.h"

/* ---- arguments --------------------------------------------------------------------------------------- */

int uno_elements_check(const char *name, MPI_Count count, const struct uno_mpi_type *type) {
    if (!type || !type->committed)
        return uno_error(MPI_ERR_TYPE, "%stype is %s", name,
                         type ? "not committed (MPI_Type_commit)" : "no data type");
    if (count < 0)
        return uno_error(MPI_ERR_COUNT, "%scount is %lld", name, (long long)count);
    return MPI_SUCCESS;
}

int uno_side_check(const char *name, const void *at, MPI_Count count, const struct uno_mpi_type *type) {
    char text[16];
    snprintf(text, sizeof text, "%sbuf", name);
    return uno_address_check(*name ? text : "buffer", at, count, type);
}

int uno_data_of(struct uno_data *data, const char *name, const void *at, MPI_Count count,
                const struct uno_mpi_type *type) {
    int error = uno_elements_check(name, count, type);
    if (!error && UNO_UNLIKELY(!uno_is_address(at)))
        error = uno_side_check(name, at, count, type);
    if (!error)
        *data = (struct uno_data){(void *)at, (size_t)count, &type->layout};
    return error;
}

int uno_lists_check(const char *name, struct uno_numbers counts, const char *places,
                    struct uno_numbers displacements) {
    if (!counts.at)
        return uno_error(MPI_ERR_ARG, "%scounts is a null pointer", name);
    return uno_list_check(places, displacements.at, 1);
}

/* Check the blocks of data at a null address. */
static UNO_COLD int varied_check(const char *name, const void *at, struct uno_numbers counts,
                                 struct uno_numbers displacements, const struct uno_mpi_type *type,
                                 int size) {
    int error = MPI_SUCCESS;
    for (int r = 0; r < size && !error; r++) {
        uintptr_t bytes = (uintptr_t)(uno_number(displacements, r) * type->layout.extent);
        const void *block = at == MPI_IN_PLACE ? at : (const void *)((uintptr_t)at + bytes);
        error = uno_side_check(name, block, uno_number(counts, r), type);
    }
    return error;
}

static int varied_of(struct uno_varied *data, const char *name, const void *at, struct uno_numbers counts,
                     const char *places, struct uno_numbers displacements, const struct uno_mpi_type *type,
                     int size) {
    int error = uno_elements_check(name, 0, type);
    if (!error && UNO_UNLIKELY(!counts.at || !displacements.at))
        error = uno_lists_check(name, counts, places, displacements);
    for (int r = 0; r < size && !error; r++)
        if (uno_number(counts, r) < 0)
            error =
                uno_error(MPI_ERR_COUNT, "%scounts[%d] is %lld", name, r, (long long)uno_number(counts, r));
    if (!error && UNO_UNLIKELY(!uno_is_address(at)))
        error = varied_check(name, at, counts, displacements, type, size);
    if (!error)
        *data = (struct uno_varied){(void *)at, {counts.at, displacements.at, counts.large}, &type->layout};
    return error;
}

static size_t bytes_of(const struct uno_data *data) {
    return data->count * data->layout->size;
}

/* Report that the blocks of the two sides are not equally large. */
static int unequal(const struct uno_data *in, const struct uno_data *out) {
    return uno_error(MPI_ERR_TRUNCATE, "a rank sends itself %zu bytes, and expects %zu", bytes_of(in),
                     bytes_of(out));
}

/* The two sides of a rank in an operation whose blocks are of one size. A side is NULL if it is empty, or in
 * place already. */
struct sides {
    struct uno_data in, out;
    const struct uno_data *gives, *gets;
};

static int sides_of(struct sides *s, bool gives, const void *sendbuf, MPI_Count sendcount,
                    const struct uno_mpi_type *sendtype, bool gets, const void *recvbuf, MPI_Count recvcount,
                    const struct uno_mpi_type *recvtype) {
    s->gives = gives ? &s->in : NULL;
    s->gets = gets ? &s->out : NULL;
    int error = gives ? uno_data_of(&s->in, "send", sendbuf, sendcount, sendtype) : MPI_SUCCESS;
    if (!error && gets)
        error = uno_data_of(&s->out, "recv", recvbuf, recvcount, recvtype);
    if (!error && gives && gets && bytes_of(&s->in) != bytes_of(&s->out))
        error = unequal(&s->in, &s->out);
    return error;
}

static size_t bytes_of_block(const struct sides *s) {
    return bytes_of(s->gets ? s->gets : s->gives);
}

/* Return the address of one of the blocks, which lie one after the other. */
static const char *block_at(const struct uno_data *blocks, int r) {
    return (const char *)blocks->at + (ptrdiff_t)(blocks->count * (size_t)r) * blocks->layout->extent;
}

/* Check that the rank's own block, `given` in those that it gives and `got` in those that it gets, is not in
 * its place already. */
static int own_check(const struct sides *s, int given, int got) {
    return s->gives && s->gets && s->gives->at != MPI_BOTTOM
               ? uno_places_check(block_at(s->gives, given), block_at(s->gets, got), s->in.count > 0)
               : MPI_SUCCESS;
}

/* ---- of one rank ------------------------------------------------------------------------------------- */

int uno_move(const struct uno_data *in, const struct uno_data *out) {
    if (!in || !out)
        return MPI_SUCCESS;
    size_t bytes = bytes_of(in), room = bytes_of(out);
    if (bytes > room)
        return unequal(in, out);
    struct uno_view from = uno_view_in(in->at, in->count, in->layout);
    if (out->layout->plain && bytes)
        memmove(out->at, from.bytes, bytes);
    else if (bytes)
        out->layout->unpack(out->layout, from.bytes, bytes / out->layout->size, out->at);
    uno_view_drop(&from);
    return MPI_SUCCESS;
}

/* Return the block of a rank. */
static struct uno_data block_of(const struct uno_varied *v, int r) {
    return (struct uno_data){(char *)v->at + uno_displacement_of(&v->counts, r) * v->layout->extent,
                             (size_t)uno_count_of(&v->counts, r), v->layout};
}

/* Check that the block of a rank is not where the rank has it already. */
static int place_check(const struct uno_data *block, const struct uno_varied *blocks, int r) {
    struct uno_data other = block_of(blocks, r);
    bool some = blocks->at != MPI_BOTTOM && block->count > 0 && other.count > 0;
    return uno_places_check(block->at, other.at, some);
}

/* ---- the calls --------------------------------------------------------------------------------------- */

int uno_mpi_barrier(struct uno_mpi_comm *comm) {
    if (comm->comm.size == 1)
        return MPI_SUCCESS;
    uno_tell(comm, 0, NULL, NULL, -1);
    return uno_outcome(comm, uno_barrier(&comm->comm), 0);
}

int uno_mpi_bcast(void *buffer, MPI_Count count, struct uno_mpi_type *datatype, int root,
                  struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    int error =
        UNO_LIKELY(uno_is_address(buffer)) ? MPI_SUCCESS : uno_side_check("", buffer, count, datatype);
    if (error || c->size == 1)
        return error;
    uno_tell(comm, count, datatype, NULL, root);
    return uno_outcome(comm, uno_bcast(c, buffer, (size_t)count, &datatype->layout, root),
                       (size_t)count * datatype->layout.size);
}

int uno_mpi_gather(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                   MPI_Count recvcount, struct uno_mpi_type *recvtype, int root, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    struct sides s;
    bool mine = c->rank == root, in_place = mine && sendbuf == MPI_IN_PLACE;
    int error = sides_of(&s, !in_place, sendbuf, sendcount, sendtype, mine, recvbuf, recvcount, recvtype);
    if (!error)
        error = own_check(&s, 0, root);
    if (error || c->size == 1)
        return error ? error : uno_move(s.gives, s.gets);
    uno_tell(comm, in_place ? recvcount : sendcount, in_place ? recvtype : sendtype, NULL, root);
    return uno_outcome(comm, uno_gather(c, s.gives, s.gets, root), bytes_of_block(&s));
}

int uno_mpi_scatter(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                    MPI_Count recvcount, struct uno_mpi_type *recvtype, int root, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    struct sides s;
    bool mine = c->rank == root, in_place = mine && recvbuf == MPI_IN_PLACE;
    int error = sides_of(&s, mine, sendbuf, sendcount, sendtype, !in_place, recvbuf, recvcount, recvtype);
    if (!error)
        error = own_check(&s, root, 0);
    if (error || c->size == 1)
        return error ? error : uno_move(s.gives, s.gets);
    uno_tell(comm, in_place ? sendcount : recvcount, in_place ? sendtype : recvtype, NULL, root);
    return uno_outcome(comm, uno_scatter(c, s.gives, s.gets, root), bytes_of_block(&s));
}

/* Allgather and Alltoall, which differ only in the function. */
static int both_ways(bool (*way)(struct uno_comm *, const struct uno_data *, const struct uno_data *),
                     const void *sendbuf, MPI_Count sendcount, const struct uno_mpi_type *sendtype,
                     void *recvbuf, MPI_Count recvcount, const struct uno_mpi_type *recvtype,
                     struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    struct sides s;
    int error = sides_of(&s, sendbuf != MPI_IN_PLACE, sendbuf, sendcount, sendtype, true, recvbuf, recvcount,
                         recvtype);
    if (!error)
        error = own_check(&s, way == uno_alltoall ? c->rank : 0, c->rank);
    if (error || c->size == 1)
        return error ? error : uno_move(s.gives, s.gets);
    uno_tell(comm, recvcount, recvtype, NULL, -1);
    return uno_outcome(comm, way(c, s.gives, s.gets), bytes_of_block(&s));
}

int uno_mpi_allgather(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                      MPI_Count recvcount, struct uno_mpi_type *recvtype, struct uno_mpi_comm *comm) {
    return both_ways(uno_allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

int uno_mpi_alltoall(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                     MPI_Count recvcount, struct uno_mpi_type *recvtype, struct uno_mpi_comm *comm) {
    return both_ways(uno_alltoall, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

/* ---- blocks of different sizes ----------------------------------------------------------------------- */

int uno_mpi_gatherv(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                    struct uno_numbers recvcounts, struct uno_numbers displs, struct uno_mpi_type *recvtype,
                    int root, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    bool mine = c->rank == root, in_place = mine && sendbuf == MPI_IN_PLACE, truncated = false;
    struct uno_data in, out;
    struct uno_varied all;
    int error = in_place ? MPI_SUCCESS : uno_data_of(&in, "send", sendbuf, sendcount, sendtype);
    if (!error && mine)
        error = varied_of(&all, "recv", recvbuf, recvcounts, "displs", displs, recvtype, c->size);
    if (!error && mine && !in_place)
        error = place_check(&in, &all, root);
    if (error)
        return error;
    if (c->size == 1) {
        out = block_of(&all, 0);
        return in_place ? MPI_SUCCESS : uno_move(&in, &out);
    }
    uno_tell(comm, 0, NULL, NULL, root);
    bool done = uno_gatherv(c, in_place ? NULL : &in, mine ? &all : NULL, root, &truncated);
    int outcome = uno_outcome(comm, done, 1);
    return truncated ? uno_error(MPI_ERR_TRUNCATE, "a rank sends more than recvcounts says") : outcome;
}

int uno_mpi_scatterv(const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers displs,
                     struct uno_mpi_type *sendtype, void *recvbuf, MPI_Count recvcount,
                     struct uno_mpi_type *recvtype, int root, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    bool mine = c->rank == root, in_place = mine && recvbuf == MPI_IN_PLACE;
    struct uno_data in, out;
    struct uno_varied all;
    int error = in_place ? MPI_SUCCESS : uno_data_of(&out, "recv", recvbuf, recvcount, recvtype);
    if (!error && mine)
        error = varied_of(&all, "send", sendbuf, sendcounts, "displs", displs, sendtype, c->size);
    if (!error && mine && !in_place)
        error = place_check(&out, &all, root);
    if (error)
        return error;
    if (c->size == 1) {
        in = block_of(&all, 0);
        return in_place ? MPI_SUCCESS : uno_move(&in, &out);
    }
    uno_tell(comm, 0, NULL, NULL, root);
    return uno_outcome(comm, uno_scatterv(c, mine ? &all : NULL, in_place ? NULL : &out, root), 1);
}

int uno_mpi_allgatherv(const void *sendbuf, MPI_Count sendcount, struct uno_mpi_type *sendtype, void *recvbuf,
                       struct uno_numbers recvcounts, struct uno_numbers displs,
                       struct uno_mpi_type *recvtype, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    bool in_place = sendbuf == MPI_IN_PLACE;
    struct uno_data in, out;
    struct uno_varied all;
    size_t total = 0;
    int error = varied_of(&all, "recv", recvbuf, recvcounts, "displs", displs, recvtype, c->size);
    if (!error && !in_place)
        error = uno_data_of(&in, "send", sendbuf, sendcount, sendtype);
    if (!error && !in_place)
        error = place_check(&in, &all, c->rank);
    if (error)
        return error;
    out = block_of(&all, 0);
    if (c->size == 1)
        return in_place ? MPI_SUCCESS : uno_move(&in, &out);
    for (int r = 0; r < c->size; r++)
        total += (size_t)uno_number(recvcounts, r) * all.layout->size;
    if (!in_place && bytes_of(&in) != (size_t)uno_number(recvcounts, c->rank) * all.layout->size)
        return uno_error(MPI_ERR_TRUNCATE, "this rank sends %zu bytes, and its place in recvcounts says %zu",
                         bytes_of(&in), (size_t)uno_number(recvcounts, c->rank) * all.layout->size);
    uno_tell(comm, 0, NULL, NULL, -1);
    return uno_outcome(comm, uno_allgatherv(c, in_place ? NULL : &in, &all), total);
}

int uno_mpi_alltoallv(const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers sdispls,
                      struct uno_mpi_type *sendtype, void *recvbuf, struct uno_numbers recvcounts,
                      struct uno_numbers rdispls, struct uno_mpi_type *recvtype, struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    bool in_place = sendbuf == MPI_IN_PLACE;
    struct uno_varied in, out;
    int error = varied_of(&out, "recv", recvbuf, recvcounts, "rdispls", rdispls, recvtype, c->size);
    if (!error && !in_place)
        error = varied_of(&in, "send", sendbuf, sendcounts, "sdispls", sdispls, sendtype, c->size);
    if (error)
        return error;
    if (!in_place) {
        struct uno_data own = block_of(&in, c->rank), to = block_of(&out, c->rank);
        error = place_check(&own, &out, c->rank);
        if (error || c->size == 1)
            return error ? error : uno_move(&own, &to);
    } else if (c->size == 1) {
        return MPI_SUCCESS;
    }
    uno_tell(comm, 0, NULL, NULL, -1);
    return uno_outcome(comm, uno_alltoallv(c, in_place ? NULL : &in, &out), 1);
}

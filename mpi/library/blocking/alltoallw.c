/* MPI_Alltoallw: blocks of a type each, which go as packed bytes. */

#include <stdlib.h>

#include "collective/operation/collective.h"
#include "library/blocking/collectives.h"
#include "library/calls.h"
#include "library/object/address.h"
#include "library/type/address.h"
#include "library/type/predefined.h"

/* The blocks of one side, and where the program has them. */
struct side {
    struct uno_block *of;
    struct uno_data *data;
    char *packed; /* of all types whose elements do not lie as they are packed */
};

static int block_of(struct uno_data *data, const char *name, int r, const void *buffer, MPI_Count count,
                    MPI_Count displacement, MPI_Datatype datatype) {
    const struct uno_mpi_type *type = uno_find_type(datatype);
    if (!type || !type->committed)
        return uno_error(MPI_ERR_TYPE, "%stypes[%d] is %s", name, r,
                         type ? "not committed (MPI_Type_commit)" : "no data type");
    if (count < 0)
        return uno_error(MPI_ERR_COUNT, "%scounts[%d] is %lld", name, r, (long long)count);
    void *at = (void *)((uintptr_t)buffer + (uintptr_t)displacement);
    int error = UNO_LIKELY(uno_is_address(buffer))
                    ? MPI_SUCCESS
                    : uno_side_check(name, buffer == MPI_IN_PLACE ? buffer : at, count, type);
    if (error)
        return error;
    *data = (struct uno_data){at, (size_t)count, &type->layout};
    return MPI_SUCCESS;
}

/* Room for n blocks in *side; packs: fill in those that are copies. */
static int open_side(struct side *side, const char *name, int n, const void *buffer,
                     struct uno_numbers counts, struct uno_numbers displacements, const MPI_Datatype types[],
                     bool packs) {
    size_t packed = 0, at = 0;
    int error = MPI_SUCCESS;
    if (UNO_UNLIKELY(!counts.at || !displacements.at || !types))
        error = uno_lists_check(name, counts, *name == 's' ? "sdispls" : "rdispls", displacements);
    if (UNO_UNLIKELY(!error && !types))
        error = uno_error(MPI_ERR_ARG, "%stypes is a null pointer", name);
    if (error)
        return error;
    for (int r = 0; r < n; r++) {
        struct uno_data *d = &side->data[r];
        error = block_of(d, name, r, buffer, uno_number(counts, r), uno_number(displacements, r), types[r]);
        if (error)
            return error;
        side->of[r] = (struct uno_block){d->at, uno_bytes_of((int64_t)d->count, d->layout)};
        packed += d->layout->plain ? 0 : side->of[r].size;
    }
    side->packed = uno_base_allocate(packed + 1, 1);
    for (int r = 0; r < n; r++) {
        const struct uno_data *d = &side->data[r];
        if (d->layout->plain)
            continue;
        side->of[r].bytes = side->packed + at;
        at += side->of[r].size;
        if (packs)
            d->layout->pack(d->layout, d->at, d->count, side->of[r].bytes);
    }
    return MPI_SUCCESS;
}

static void unpack(const struct side *side, int n) {
    for (int r = 0; r < n; r++) {
        const struct uno_data *d = &side->data[r];
        if (!d->layout->plain)
            d->layout->unpack(d->layout, side->of[r].bytes, d->count, d->at);
    }
}

int uno_mpi_alltoallw(const void *sendbuf, struct uno_numbers sendcounts, struct uno_numbers sdispls,
                      const MPI_Datatype sendtypes[], void *recvbuf, struct uno_numbers recvcounts,
                      struct uno_numbers rdispls, const MPI_Datatype recvtypes[], struct uno_mpi_comm *comm) {
    struct uno_comm *c = &comm->comm;
    int n = c->size;
    struct uno_block blocks[2][n];
    struct uno_data data[2][n];
    struct side in = {.of = blocks[0], .data = data[0]}, out = {.of = blocks[1], .data = data[1]};
    bool in_place = sendbuf == MPI_IN_PLACE, done = true;
    int error = open_side(&out, "recv", n, recvbuf, recvcounts, rdispls, recvtypes, in_place);
    if (!error && !in_place)
        error = open_side(&in, "send", n, sendbuf, sendcounts, sdispls, sendtypes, true);
    const struct uno_data *own = &in.data[c->rank], *to = &out.data[c->rank];
    if (!error && !in_place)
        error = uno_places_check(own->at, to->at, recvbuf != MPI_BOTTOM && own->count > 0 && to->count > 0);
    if (!error && n == 1)
        error = in_place ? MPI_SUCCESS : uno_move(&in.data[0], &out.data[0]);
    else if (!error)
        done = uno_alltoall_blocks(c, in_place ? out.of : in.of, out.of);
    if (!error && done && n > 1)
        unpack(&out, n);
    free(in.packed);
    free(out.packed);
    return error ? error : uno_outcome(comm, done, 1);
}

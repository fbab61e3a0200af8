#include "library/parcels.h"

#include <stdlib.h>

#include "collective/base.h"
#include "library/comm.h"
#include "library/messages.h"
#include "library/predefined.h"

/* A parcel that is on its way to here. */
struct arrival {
    struct uno_receive receive;
    struct uno_view view;
};

static void post(struct arrival *a, const struct uno_mpi_comm *comm, const struct uno_parcel *parcel) {
    const struct uno_data *data = &parcel->data;
    a->view = uno_view_out(data->at, data->count, data->layout);
    a->receive = (struct uno_receive){.envelope = {.context = uno_comm_parcel_context(comm),
                                                   .source = comm->peer[parcel->rank],
                                                   .tag = parcel->way},
                                      .data = a->view.bytes,
                                      .room = data->count * data->layout->size};
    uno_channel_post(uno_rank->channel, &a->receive);
}

static void send(const struct uno_mpi_comm *comm, const struct uno_parcel *parcel, unsigned signature) {
    const struct uno_data *data = &parcel->data;
    struct uno_view view = uno_view_in(data->at, data->count, data->layout);
    uint64_t word = uno_channel_word(uno_comm_parcel_context(comm), parcel->way);
    uno_channel_send(uno_rank->channel, comm->peer[parcel->rank], word, view.bytes,
                     data->count * data->layout->size, signature);
    uno_view_drop(&view);
}

static int finish(struct arrival *a, unsigned signature) {
    uno_channel_finish(uno_rank->channel, &a->receive, signature);
    int error = uno_received(&a->receive);
    if (!error && a->receive.bytes)
        uno_view_unpack(&a->view, 0, a->receive.bytes / a->view.data.layout->size);
    uno_view_drop(&a->view);
    return error;
}

int uno_parcels_exchange(struct uno_mpi_comm *comm, const struct uno_parcel *out, int outs,
                         const struct uno_parcel *in, int ins, unsigned signature) {
    struct arrival *arrival = uno_base_allocate((size_t)ins + 1, sizeof *arrival);
    int error = MPI_SUCCESS;
    for (int i = 0; i < ins; i++)
        if (in[i].rank != MPI_PROC_NULL)
            post(&arrival[i], comm, &in[i]);
    /* a send waits for its reader at most until that is in any call, and takes in what comes meanwhile */
    for (int i = 0; i < outs; i++)
        if (out[i].rank != MPI_PROC_NULL)
            send(comm, &out[i], signature);
    for (int i = 0; i < ins; i++) {
        int wrong = in[i].rank != MPI_PROC_NULL ? finish(&arrival[i], signature) : MPI_SUCCESS;
        error = error ? error : wrong;
    }
    free(arrival);
    return error;
}

/* ---- the blocks of a call ---------------------------------------------------------------------------------
 */

struct uno_side uno_side_of(const char *name, int count, const struct uno_edge *edge) {
    struct uno_side s = {name, count, uno_base_allocate((size_t)count + 1, sizeof *s.parcel)};
    for (int i = 0; i < count; i++) {
        s.parcel[i].rank = edge[i].rank;
        s.parcel[i].way = edge[i].way;
    }
    return s;
}

/* What a block is; MPI_IN_PLACE stands for none. */
static int set(struct uno_parcel *parcel, const char *name, const void *buffer, ptrdiff_t place,
               MPI_Count count, const struct uno_mpi_type *type) {
    if (!type || !type->committed)
        return uno_error(MPI_ERR_TYPE, "%stype is %s", name,
                         type ? "not committed (MPI_Type_commit)" : "no data type");
    if (count < 0)
        return uno_error(MPI_ERR_COUNT, "%scount is %lld", name, (long long)count);
    if (buffer == MPI_IN_PLACE)
        return uno_error(MPI_ERR_BUFFER, "%sbuf is MPI_IN_PLACE, which has no meaning here", name);
    parcel->data = (struct uno_data){(char *)buffer + place, (size_t)count, &type->layout};
    return MPI_SUCCESS;
}

int uno_side_fill(struct uno_side *s, const void *at, MPI_Count count, const struct uno_mpi_type *type,
                  int step) {
    int error = MPI_SUCCESS;
    for (int i = 0; i < s->count && !error; i++)
        error =
            set(&s->parcel[i], s->name, at, type ? i * step * count * type->layout.extent : 0, count, type);
    return error;
}

int uno_side_fill_each(struct uno_side *s, const void *at, struct uno_numbers counts,
                       struct uno_numbers places, const struct uno_mpi_type *one, const MPI_Datatype *types) {
    int error = MPI_SUCCESS;
    for (int i = 0; i < s->count && !error; i++) {
        const struct uno_mpi_type *type = types ? uno_find_type(types[i]) : one;
        ptrdiff_t step = !types && type ? type->layout.extent : 1;
        error = set(&s->parcel[i], s->name, at, uno_number(places, i) * step, uno_number(counts, i), type);
    }
    return error;
}

int uno_sides_exchange(struct uno_mpi_comm *comm, struct uno_side *out, struct uno_side *in, int error,
                       unsigned signature) {
    if (!error)
        error = uno_parcels_exchange(comm, out->parcel, out->count, in->parcel, in->count, signature);
    free(out->parcel);
    free(in->parcel);
    return error;
}

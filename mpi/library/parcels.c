#include "library/parcels.h"

#include <stdlib.h>

#include "collective/base.h"
#include "library/comm.h"
#include "library/messages.h"

/* A parcel that is on its way to here. */
struct arrival {
    struct uno_receive receive;
    struct uno_view view;
};

static void post(struct arrival *a, const struct uno_mpi_comm *comm, const struct uno_parcel *parcel) {
    const struct uno_data *data = &parcel->data;
    a->view = uno_view_out(data->at, data->count, data->layout);
    a->receive = (struct uno_receive){.envelope = {.context = uno_comm_parcel_context(comm),
                                                   .source = comm->comm.pe[parcel->rank],
                                                   .tag = parcel->way},
                                      .data = a->view.bytes,
                                      .room = data->count * data->layout->size};
    uno_channel_post(uno_rank->channel, &a->receive);
}

static void send(const struct uno_mpi_comm *comm, const struct uno_parcel *parcel, unsigned signature) {
    const struct uno_data *data = &parcel->data;
    struct uno_view view = uno_view_in(data->at, data->count, data->layout);
    uint64_t word = uno_channel_word(uno_comm_parcel_context(comm), parcel->way);
    uno_channel_send(uno_rank->channel, comm->comm.pe[parcel->rank], word, view.bytes,
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

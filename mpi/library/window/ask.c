#include "library/window/ask.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/rank/ops.h"
#include "library/rank/waits.h"

size_t uno_runs_bytes(const struct uno_runs *runs) {
    size_t bytes = 0;
    for (size_t i = 0; i < runs->count; i++)
        bytes += runs->run[i].bytes;
    return bytes;
}

/* Wait for the answer, whose data go to `before`. */
static int await(const struct uno_spot *spot, char *before, size_t bytes) {
    struct uno_mpi_win *win = spot->win;
    char *answer = uno_base_allocate(sizeof(int) + bytes, 1);
    int pe = win->owner.comm->peer[spot->rank], error;
    struct uno_receive receive = {
        .envelope = {.context = uno_comm_context(win->owner.comm), .source = pe, .tag = UNO_WIN_ANSWER},
        .data = answer,
        .room = sizeof(int) + bytes};
    uno_channel_post(uno_rank->channel, &receive);
    uno_wait_received(&receive, pe, UNO_SIGNATURE_MPI_WIN_FLUSH);
    memcpy(&error, answer, sizeof error);
    if (bytes)
        memcpy(before, answer + sizeof(int), bytes);
    free(answer);
    return error ? uno_error(error, "rank %d has no such memory in the window", spot->rank) : MPI_SUCCESS;
}

/* Have the target do it. data: `ask->bytes` bytes. */
static int request(const struct uno_spot *spot, const struct uno_runs *runs, struct uno_ask *ask,
                   const char *data, char *before) {
    struct uno_channel *channel = uno_rank->channel;
    uint32_t context = uno_comm_context(spot->win->owner.comm);
    int pe = spot->win->owner.comm->peer[spot->rank];
    size_t list = runs->count * sizeof *runs->run;
    char *rest = uno_base_allocate(list + ask->bytes + 1, 1);
    memcpy(rest, runs->run, list);
    if (ask->bytes)
        memcpy(rest + list, data, ask->bytes);
    ask->place = spot->place;
    ask->runs = runs->count;
    ask->before = before != NULL;
    uno_channel_send(channel, pe, uno_channel_word(context, UNO_WIN_ASK), ask, sizeof *ask,
                     UNO_SIGNATURE_MPI_WIN_FLUSH);
    uno_channel_send(channel, pe, uno_channel_word(context, UNO_WIN_REST), rest, list + ask->bytes,
                     UNO_SIGNATURE_MPI_WIN_FLUSH);
    free(rest);
    return await(spot, before, before ? uno_runs_bytes(runs) : 0);
}

int uno_ask_write(const struct uno_spot *spot, const struct uno_runs *runs, const char *bytes) {
    struct uno_ask ask = {.what = UNO_ASK_WRITE, .bytes = uno_runs_bytes(runs)};
    return request(spot, runs, &ask, bytes, NULL);
}

int uno_ask_read(const struct uno_spot *spot, const struct uno_runs *runs, char *bytes) {
    struct uno_ask ask = {.what = UNO_ASK_READ};
    return request(spot, runs, &ask, NULL, bytes);
}

int uno_ask_combine(const struct uno_spot *spot, const struct uno_runs *runs, size_t width, MPI_Op op,
                    MPI_Datatype basic, const char *bytes, char *before) {
    struct uno_ask ask = {.what = UNO_ASK_COMBINE,
                          .bytes = bytes ? uno_runs_bytes(runs) : 0,
                          .width = width,
                          .op = op,
                          .basic = basic};
    return request(spot, runs, &ask, bytes, before);
}

int uno_ask_swap(const struct uno_spot *spot, size_t width, const void *compare, const void *with,
                 void *before) {
    char both[2 * sizeof(uint64_t) * 2];
    struct uno_runs runs = {.run = &(struct uno_run){0, width}, .count = 1};
    struct uno_ask ask = {.what = UNO_ASK_SWAP, .bytes = 2 * width, .width = width};
    memcpy(both, compare, width);
    memcpy(both + width, with, width);
    return request(spot, &runs, &ask, both, before);
}

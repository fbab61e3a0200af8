#include "library/window/ask.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/message/requests.h"
#include "library/rank/ops.h"
#include "library/rank/waits.h"
#include "library/window/remote.h"

/* ---- answers --------------------------------------------------------------------------------------------
 */

/* Expect an answer to the request of that number, whose data go to the elements; NULL: it has none. */
static void expect(struct uno_mpi_win *win, int target, uint64_t number,
                   const struct uno_win_elements *elements, struct uno_mpi_request *request) {
    struct uno_asked_target *t = &win->remote->target[target];
    struct uno_awaited *a = uno_base_allocate(1, sizeof *a);
    a->number = number;
    if (elements)
        uno_stream_out(&a->to, elements->at, elements->count, elements->type);
    a->request = request;
    if (request)
        request->receive.done = false;
    *t->last = a;
    t->last = &a->next;
    win->remote->awaited++;
    uno_win_expect(win, win->owner.comm->peer[target], UNO_WIN_ANSWER + (int)(number % UNO_WIN_NUMBERS),
                   a->to.bytes, a->to.runs.bytes, &a->receive);
}

static void complete(struct uno_remote *r, int target, struct uno_awaited *a) {
    int error = a->receive.mark;
    if (!error)
        uno_stream_fill(&a->to, a->receive.bytes);
    uno_stream_free(&a->to);
    if (a->request) {
        a->request->receive.mark = a->receive.mark;
        a->request->receive.done = true;
        if (a->request->freed)
            uno_request_end(a->request);
    } else if (error && !r->error) {
        r->error = error;
        r->failed = target;
    }
    uno_rank->channel->moves++; /* for a thread that waits for it */
    free(a);
}

bool uno_ask_settle(struct uno_remote *r) {
    size_t before = r->awaited;
    for (int k = 0; k < r->win->n && r->awaited; k++) {
        struct uno_asked_target *t = &r->target[k];
        for (struct uno_awaited *a; (a = t->first) && a->receive.done; r->awaited--) {
            t->first = a->next;
            if (!t->first)
                t->last = &t->first;
            complete(r, k, a);
        }
    }
    return r->awaited != before;
}

/* ---- requests -------------------------------------------------------------------------------------------
 */

static void send(const struct uno_mpi_win *win, int target, int tag, const void *data, size_t bytes) {
    uno_channel_send(uno_rank->channel, win->owner.comm->peer[target], uno_win_word(win, tag), data, bytes,
                     UNO_SIGNATURE_MPI_WIN_FLUSH);
}

/* Have the target do it. data: those that it says follow. */
static void request(const struct uno_spot *spot, const struct uno_runs *runs, const struct uno_ask *what,
                    const char *data) {
    struct uno_mpi_win *win = spot->win;
    struct uno_remote *r = win->remote;
    struct uno_ask_message message;
    struct uno_ask *ask = &message.ask;
    uint64_t number = r->number++;
    *ask = *what;
    ask->number = (uint32_t)(number % UNO_WIN_NUMBERS);
    ask->place = spot->place + (runs->count == 1 ? (uint64_t)runs->run->at : 0);
    ask->runs = (uint32_t)runs->count;
    ask->bytes = runs->bytes;
    size_t list = uno_ask_list(ask), bytes = uno_ask_data(ask), head = offsetof(struct uno_ask_message, more);
    if (ask->answers)
        expect(win, spot->rank, number, spot->result, spot->request);
    else
        r->target[spot->rank].unanswered |= ask->what != UNO_ASK_LOCK;
    if (list + bytes <= sizeof message.more) {
        if (list)
            memcpy(message.more, runs->run, list);
        if (bytes)
            memcpy(message.more + list, data, bytes);
        send(win, spot->rank, UNO_WIN_ASK, &message, head + list + bytes);
        return;
    }
    send(win, spot->rank, UNO_WIN_ASK, &message, head);
    if (list)
        send(win, spot->rank, UNO_WIN_DATA + (int)ask->number, runs->run, list);
    if (bytes)
        send(win, spot->rank, UNO_WIN_DATA + (int)ask->number, data, bytes);
}

int uno_ask_write(const struct uno_spot *spot, const struct uno_runs *runs, const char *bytes) {
    if (runs->bytes)
        request(spot, runs, &(struct uno_ask){.what = UNO_ASK_WRITE, .gives = true}, bytes);
    return MPI_SUCCESS;
}

int uno_ask_read(const struct uno_spot *spot, const struct uno_runs *runs) {
    if (runs->bytes)
        request(spot, runs, &(struct uno_ask){.what = UNO_ASK_READ, .answers = true}, NULL);
    return MPI_SUCCESS;
}

int uno_ask_combine(const struct uno_spot *spot, const struct uno_runs *runs, MPI_Op op, MPI_Datatype basic,
                    const char *bytes) {
    struct uno_ask ask = {.what = UNO_ASK_COMBINE,
                          .answers = spot->result,
                          .gives = bytes,
                          .op = (uint16_t)(uintptr_t)op,
                          .basic = (uint16_t)(uintptr_t)basic};
    request(spot, runs, &ask, bytes);
    return MPI_SUCCESS;
}

int uno_ask_swap(const struct uno_spot *spot, size_t width, const void *compare, const void *with) {
    char both[2 * sizeof(uint64_t) * 2];
    struct uno_runs runs = {.run = &(struct uno_run){0, width}, .count = 1, .bytes = width};
    memcpy(both, compare, width);
    memcpy(both + width, with, width);
    request(spot, &runs, &(struct uno_ask){.what = UNO_ASK_SWAP, .answers = true, .gives = true}, both);
    return MPI_SUCCESS;
}

/* Ask for what has no place. */
static void request_of(struct uno_mpi_win *win, int target, const struct uno_ask *ask) {
    struct uno_spot spot;
    uno_spot_set(&spot, win, target, NULL, 0);
    request(&spot, &(struct uno_runs){0}, ask, NULL);
}

void uno_ask_lock(struct uno_mpi_win *win, int target, bool exclusive) {
    request_of(win, target, &(struct uno_ask){.what = UNO_ASK_LOCK, .exclusive = exclusive});
}

void uno_ask_unlock(struct uno_mpi_win *win, int target, bool exclusive) {
    win->remote->target[target].unanswered = false;
    request_of(win, target,
               &(struct uno_ask){.what = UNO_ASK_UNLOCK, .exclusive = exclusive, .answers = true});
}

/* ---- the end --------------------------------------------------------------------------------------------
 */

struct until {
    struct uno_remote *remote;
    const struct uno_asked_target *target;
    uint64_t number; /* of the first request that is not waited for */
};

static bool has_come(void *argument) {
    const struct until *u = argument;
    uno_ask_settle(u->remote);
    return !u->target->first || u->target->first->number >= u->number;
}

int uno_ask_finish_asked(struct uno_mpi_win *win, int target, bool there, unsigned signature) {
    struct uno_remote *r = win->remote;
    int from = target < 0 ? 0 : target, to = target < 0 ? win->n : target + 1;
    for (int k = from; k < to && there; k++) {
        if (!r->target[k].unanswered)
            continue;
        r->target[k].unanswered = false;
        request_of(win, k, &(struct uno_ask){.what = UNO_ASK_WHETHER_DONE, .answers = true});
    }
    struct until until = {.remote = r, .number = r->number};
    for (int k = from; k < to; k++) {
        until.target = &r->target[k];
        if (until.target->first)
            uno_wait_until(has_come, &until, NULL, win->owner.comm->peer[k], signature);
    }
    int error = r->error;
    r->error = MPI_SUCCESS;
    return error ? uno_error(error, "rank %d has no such memory in the window", r->failed) : MPI_SUCCESS;
}

#include "library/window/serve.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/rank/ops.h"
#include "library/rank/waits.h"
#include "library/type/predefined.h"
#include "library/window/ask.h"
#include "library/window/combine.h"

/* The accesses that a rank makes for others, one after the other. */
struct uno_remote {
    struct uno_mpi_win *win;
    struct uno_remote *next; /* of the rank's windows that are so */
    struct uno_receive receive;
    struct uno_ask ask;
    bool asked; /* it has come, and `receive` is for what follows */
    char *rest;
};

/* ---- the target's side -----------------------------------------------------------------------------------
 */

static void expect(struct uno_remote *r, int source, enum uno_win_tag tag, void *data, size_t room) {
    r->receive = (struct uno_receive){
        .envelope = {.context = uno_comm_context(r->win->owner.comm), .source = source, .tag = (int)tag},
        .data = data,
        .room = room};
    uno_channel_post(uno_rank->channel, &r->receive);
}

static void expect_next(struct uno_remote *r) {
    r->asked = false;
    expect(r, UNO_WILD, UNO_WIN_ASK, &r->ask, sizeof r->ask);
}

/* Return true if the program has attached all of that memory, if the window is one to which it does. */
static bool is_there(const struct uno_remote *r, const struct uno_runs *runs) {
    bool there = true;
    for (size_t i = 0; i < runs->count && r->win->flavor == MPI_WIN_FLAVOR_DYNAMIC; i++)
        there &=
            uno_win_has(r->win, (uintptr_t)r->ask.place + (uintptr_t)runs->run[i].at, runs->run[i].bytes);
    return there;
}

/* Access this rank's memory. Returns an error. */
static int access_own(struct uno_remote *r, const struct uno_spot *spot, const struct uno_runs *runs,
                      char *data, char *before) {
    struct uno_combining how = {.width = r->ask.width};
    switch (r->ask.what) {
    case UNO_ASK_WRITE:
        return uno_win_write(spot, runs, data);
    case UNO_ASK_READ:
        return uno_win_read(spot, runs, before);
    case UNO_ASK_COMBINE:
        uno_combining_of(&how, uno_find_type(r->ask.basic), uno_find_op(r->ask.op));
        return uno_win_combine_held(spot, runs, &how, data, before);
    default:
        uno_win_read(spot, runs, before);
        return memcmp(before, data, how.width) ? MPI_SUCCESS : uno_win_write(spot, runs, data + how.width);
    }
}

/* Answer with the error, and the data behind it. */
static void serve(struct uno_remote *r) {
    struct uno_runs runs = {.run = (struct uno_run *)(void *)r->rest, .count = r->ask.runs};
    char *data = r->rest + runs.count * sizeof *runs.run;
    size_t back = r->ask.before ? uno_runs_bytes(&runs) : 0;
    char *answer = uno_base_allocate(sizeof(int) + back, 1);
    struct uno_spot spot = {r->win, r->win->me, (char *)(uintptr_t)r->ask.place, r->ask.place};
    int error = is_there(r, &runs) ? access_own(r, &spot, &runs, data, back ? answer + sizeof(int) : NULL)
                                   : MPI_ERR_RMA_RANGE;
    memcpy(answer, &error, sizeof error);
    uno_channel_send(uno_rank->channel, r->receive.envelope.source,
                     uno_channel_word(uno_comm_context(r->win->owner.comm), UNO_WIN_ANSWER), answer,
                     sizeof(int) + back, UNO_SIGNATURE_MPI_SEND);
    free(answer);
    free(r->rest);
    r->rest = NULL;
}

static bool go_on(struct uno_remote *r) {
    if (!r->receive.done)
        return false;
    if (!r->asked) {
        size_t bytes = r->ask.runs * sizeof(struct uno_run) + r->ask.bytes;
        r->rest = uno_base_allocate(bytes + 1, 1);
        r->asked = true;
        expect(r, r->receive.envelope.source, UNO_WIN_REST, r->rest, bytes);
        return true;
    }
    serve(r);
    expect_next(r);
    return true;
}

static bool all_go_on(void) {
    bool any = false;
    for (struct uno_remote *r = uno_rank->remote; r; r = r->next)
        any |= go_on(r);
    return any;
}

void uno_serve_begin(struct uno_mpi_win *win) {
    struct uno_remote *r = uno_base_allocate(1, sizeof *r);
    r->win = win;
    r->next = uno_rank->remote;
    uno_rank->remote = win->remote = r;
    expect_next(r);
    uno_go_on_by(UNO_GO_ON_WINDOWS, all_go_on);
}

void uno_serve_end(struct uno_mpi_win *win) {
    struct uno_remote **at = &uno_rank->remote, *r = win->remote;
    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    if (!r->receive.done)
        uno_channel_cancel(uno_rank->channel, &r->receive);
    free(r->rest);
    free(r);
    win->remote = NULL;
    if (!uno_rank->remote)
        uno_go_on_by(UNO_GO_ON_WINDOWS, NULL);
}

#include "library/window/serve.h"

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/rank/ops.h"
#include "library/rank/waits.h"
#include "library/type/predefined.h"
#include "library/window/combine.h"
#include "library/window/remote.h"

/* ---- messages -------------------------------------------------------------------------------------------
 */

static void expect_next(struct uno_remote *r) {
    free(r->list);
    free(r->data);
    r->list = NULL;
    r->data = NULL;
    r->placed = false;
    r->awaits = UNO_AWAITS_ASK;
    uno_win_expect(r->win, UNO_WILD, UNO_WIN_ASK, &r->message, sizeof r->message, &r->receive);
}

static void answer(const struct uno_remote *r, const void *data, size_t bytes, int error) {
    const struct uno_ask *ask = &r->message.ask;
    uno_channel_send_marked(uno_rank->channel, r->origin,
                            uno_win_word(r->win, UNO_WIN_ANSWER + (int)ask->number), data, bytes,
                            (unsigned)error, UNO_SIGNATURE_MPI_SEND);
}

/* ---- accesses -------------------------------------------------------------------------------------------
 */

static struct uno_runs runs_of(struct uno_remote *r) {
    const struct uno_ask *ask = &r->message.ask;
    struct uno_runs runs = {.run = &r->only, .count = ask->runs, .bytes = ask->bytes};
    r->only = (struct uno_run){0, ask->bytes};
    if (ask->runs > 1)
        runs.run = r->list ? r->list : (struct uno_run *)(void *)r->message.more;
    return runs;
}

/* Return the place where the runs are counted from. */
static char *base_of(const struct uno_remote *r) {
    char *base = r->win->flavor == MPI_WIN_FLAVOR_DYNAMIC ? NULL : r->win->base;
    return (char *)((uintptr_t)base + (uintptr_t)r->message.ask.place); // NOLINT(performance-no-int-to-ptr)
}

/* Return true if the program has attached all of that memory, if the window is one to which it does. */
static bool is_there(const struct uno_remote *r, const struct uno_runs *runs) {
    bool there = true;
    for (size_t i = 0; i < runs->count && r->win->flavor == MPI_WIN_FLAVOR_DYNAMIC; i++)
        there &= uno_win_has(r->win, (uintptr_t)r->message.ask.place + (uintptr_t)runs->run[i].at,
                             runs->run[i].bytes);
    return there;
}

static void swap(const struct uno_spot *spot, const struct uno_runs *runs, const char *data, char *before) {
    uno_win_hold(spot->win, spot->rank, UNO_SIGNATURE_MPI_COMPARE_AND_SWAP);
    uno_win_read(spot, runs, before);
    if (memcmp(before, data, runs->bytes) == 0)
        uno_win_write(spot, runs, data + runs->bytes);
    uno_win_let_go(spot->win, spot->rank);
}

/* Access this rank's memory, and return what it was before, if that is wanted. */
static char *access_own(struct uno_remote *r, const struct uno_runs *runs, const char *data) {
    const struct uno_ask *ask = &r->message.ask;
    struct uno_spot spot;
    char *before = ask->answers ? uno_base_allocate(runs->bytes, 1) : NULL;
    struct uno_combining how;
    uno_spot_set(&spot, r->win, r->win->me, base_of(r), ask->place);
    switch (ask->what) {
    case UNO_ASK_WRITE:
        uno_win_write(&spot, runs, data);
        break;
    case UNO_ASK_READ:
        uno_win_read(&spot, runs, before);
        break;
    case UNO_ASK_COMBINE:
        uno_combining_of(&how, uno_find_type((MPI_Datatype)(uintptr_t)ask->basic),
                         uno_find_op((MPI_Op)(uintptr_t)ask->op));
        uno_win_combine(&spot, runs, &how, ask->gives ? data : NULL, before, UNO_SIGNATURE_MPI_ACCUMULATE);
        break;
    default:
        swap(&spot, runs, data, before);
    }
    return before;
}

/* Do what has a place. data: NULL: they are there already. */
static void serve_access(struct uno_remote *r, const char *data) {
    const struct uno_ask *ask = &r->message.ask;
    struct uno_runs runs = runs_of(r);
    if (!is_there(r, &runs)) {
        if (ask->answers)
            answer(r, "", 0, MPI_ERR_RMA_RANGE);
        else if (!r->refused[r->origin])
            r->refused[r->origin] = MPI_ERR_RMA_RANGE;
        return;
    }
    if (ask->what == UNO_ASK_READ && runs.count == 1) {
        answer(r, base_of(r), runs.bytes, MPI_SUCCESS);
        return;
    }
    char *before = r->placed ? NULL : access_own(r, &runs, data);
    if (before)
        answer(r, before, runs.bytes, MPI_SUCCESS);
    free(before);
}

/* Do what the message asks for, whose data are complete. */
static void serve(struct uno_remote *r, const char *data) {
    const struct uno_ask *ask = &r->message.ask;
    switch (ask->what) {
    case UNO_ASK_LOCK:
        uno_win_take_for(r->win, uno_comm_rank_of(r->win->owner.comm, r->origin), ask->exclusive);
        break;
    case UNO_ASK_UNLOCK:
    case UNO_ASK_WHETHER_DONE:
        if (ask->what == UNO_ASK_UNLOCK)
            uno_win_give(r->win, r->win->me, ask->exclusive);
        answer(r, "", 0, r->refused[r->origin]);
        r->refused[r->origin] = MPI_SUCCESS;
        break;
    default:
        serve_access(r, data);
    }
    expect_next(r);
}

/* ---- what follows a request -------------------------------------------------------------------------------
 */

static void expect_more(struct uno_remote *r, void *data, size_t room) {
    uno_win_expect(r->win, r->origin, UNO_WIN_DATA + (int)r->message.ask.number, data, room, &r->receive);
}

/* Data of one run need no other place than their own. */
static void expect_data(struct uno_remote *r) {
    const struct uno_ask *ask = &r->message.ask;
    struct uno_runs runs = runs_of(r);
    r->awaits = UNO_AWAITS_DATA;
    r->placed = ask->what == UNO_ASK_WRITE && runs.count == 1 && is_there(r, &runs);
    if (!r->placed)
        r->data = uno_base_allocate(uno_ask_data(ask), 1);
    expect_more(r, r->placed ? base_of(r) : r->data, uno_ask_data(ask));
}

static void expect_list(struct uno_remote *r) {
    size_t list = uno_ask_list(&r->message.ask);
    r->awaits = UNO_AWAITS_LIST;
    r->list = uno_base_allocate(list, 1);
    expect_more(r, r->list, list);
}

/* Take the next step, for which something has come. */
static void step(struct uno_remote *r) {
    const struct uno_ask *ask = &r->message.ask;
    size_t list = uno_ask_list(ask), more = list + uno_ask_data(ask);
    if (r->awaits == UNO_AWAITS_ASK)
        r->origin = r->receive.envelope.source;
    bool whole = r->awaits == UNO_AWAITS_ASK && more <= sizeof r->message.more;
    if (whole)
        serve(r, r->message.more + list);
    else if (r->awaits == UNO_AWAITS_ASK && list)
        expect_list(r);
    else if (r->awaits < UNO_AWAITS_DATA && ask->gives)
        expect_data(r);
    else
        serve(r, r->data);
}

static bool go_on(struct uno_remote *r) {
    bool any = uno_ask_settle(r);
    for (; r->receive.done; any = true)
        step(r);
    return any;
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
    r->target = uno_base_allocate((size_t)win->n, sizeof *r->target);
    r->refused = uno_base_allocate((size_t)uno_rank->pe->n, sizeof *r->refused);
    for (int k = 0; k < win->n; k++)
        r->target[k].last = &r->target[k].first;
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
    for (int k = 0; k < win->n; k++)
        for (struct uno_awaited *a; (a = r->target[k].first); free(a)) {
            r->target[k].first = a->next;
            if (!a->receive.done)
                uno_channel_cancel(uno_rank->channel, &a->receive);
            uno_stream_free(&a->to);
        }
    free(r->target);
    free(r->refused);
    free(r->list);
    free(r->data);
    free(r);
    win->remote = NULL;
    if (!uno_rank->remote)
        uno_go_on_by(UNO_GO_ON_WINDOWS, NULL);
}

/* The locks of windows, in which a rank waits as for a message. */

#include "library/rank/ops.h"
#include "library/rank/waits.h"
#include "library/window/window.h"

enum {
    LOOKS =
        200 /* at a lock that is held, before the rank waits for a message: locks are mostly held shortly */
};

static struct uno_win_queue queue_of(const struct uno_mpi_win *win, int target, bool combine) {
    struct uno_win_control *control = &win->control[target];
    return (struct uno_win_queue){.lock = combine ? &control->combine : &control->lock,
                                  .waiting =
                                      win->waiting + (2 * (size_t)target + combine) * (size_t)win->places,
                                  .places = win->places,
                                  .alone = combine};
}

static uint64_t word_of(const struct uno_mpi_win *win) {
    return uno_channel_word(uno_comm_context(win->owner.comm), UNO_WIN_TURN);
}

static void tell(const struct uno_mpi_win *win, int rank) {
    if (rank != UNO_NOBODY)
        uno_channel_send(uno_rank->channel, win->owner.comm->peer[rank], word_of(win), "", 0,
                         UNO_SIGNATURE_MPI_SEND);
}

static bool is_done(void *argument) {
    return ((const struct uno_receive *)argument)->done;
}

static void await(struct uno_mpi_win *win, const struct uno_win_queue *queue, uint32_t ticket, bool exclusive,
                  unsigned signature) {
    struct uno_rank *rank = uno_rank;
    for (int i = 0; rank->pe->spin && i < LOOKS; i++) {
        if (uno_lock_is_free(queue, ticket, exclusive))
            return;
        uno_pause();
    }
    if (!uno_lock_wait(queue, ticket, exclusive, win->me))
        return;
    struct uno_receive turn = {
        .envelope = {.context = uno_comm_context(win->owner.comm), .source = UNO_WILD, .tag = UNO_WIN_TURN}};
    uno_channel_post(rank->channel, &turn);
    uno_wait_until(is_done, &turn, &turn.done, UNO_WILD, signature);
}

void uno_win_take(struct uno_mpi_win *win, int target, bool combine, bool exclusive, unsigned signature) {
    struct uno_win_queue queue = queue_of(win, target, combine);
    uint32_t ticket = uno_lock_ask(&queue);
    if (UNO_UNLIKELY(!uno_lock_is_free(&queue, ticket, exclusive)))
        await(win, &queue, ticket, exclusive, signature);
    if (!exclusive)
        tell(win, uno_lock_share(&queue));
}

void uno_win_give(struct uno_mpi_win *win, int target, bool combine, bool exclusive) {
    struct uno_win_queue queue = queue_of(win, target, combine);
    int told[2];
    uno_lock_give(&queue, exclusive, told);
    tell(win, told[0]);
    tell(win, told[1]);
}

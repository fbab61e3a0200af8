/* The locks of windows: the program's, in which a rank waits as for a message, and the short one. */

#include "engine/fault.h"
#include "engine/wait.h"
#include "library/rank/ops.h"
#include "library/rank/waits.h"
#include "library/window/ask.h"
#include "library/window/messages.h"

enum {
    LOOKS =
        200 /* at a lock that is held, before the rank waits for a message: locks are mostly held shortly */
};

static struct uno_win_queue queue_of(const struct uno_mpi_win *win, int target) {
    return (struct uno_win_queue){.lock = &win->control[target].lock,
                                  .waiting = win->waiting + (size_t)target * (size_t)win->places,
                                  .places = win->places};
}

/* Tell a rank that it is its turn to have the lock. One on another node does not come here to let others
 * share it, so that is done for it. */
static __attribute__((noinline)) void tell_of_turn(const struct uno_mpi_win *win, int target, int rank,
                                                   bool exclusive) {
    const struct uno_win_queue queue = queue_of(win, target);
    while (rank != UNO_NOBODY) {
        uno_win_tell(win, win->owner.comm->peer[rank], UNO_WIN_TURN + target);
        rank = exclusive || !win->part[rank].far ? UNO_NOBODY : uno_lock_share(&queue);
    }
}
static inline void tell(const struct uno_mpi_win *win, int target, int rank, bool exclusive) {
    if (UNO_UNLIKELY(rank != UNO_NOBODY))
        tell_of_turn(win, target, rank, exclusive);
}

static void await(struct uno_mpi_win *win, int target, uint32_t ticket, bool exclusive, unsigned signature) {
    const struct uno_win_queue here = queue_of(win, target), *queue = &here;
    struct uno_rank *rank = uno_rank;
    for (int i = 0; rank->pe->spin && i < LOOKS; i++) {
        if (uno_lock_is_free(queue, ticket, exclusive))
            return;
        uno_pause();
    }
    if (!uno_lock_wait(queue, ticket, exclusive, win->me))
        return;
    struct uno_receive turn;
    uno_win_expect(win, UNO_WILD, UNO_WIN_TURN + target, NULL, 0, &turn);
    uno_wait_received(&turn, UNO_WILD, signature);
}

void uno_win_take(struct uno_mpi_win *win, int target, bool exclusive, unsigned signature) {
    struct uno_win_queue queue = queue_of(win, target);
    uint32_t ticket = uno_lock_ask(&queue);
    if (UNO_UNLIKELY(!uno_lock_is_free(&queue, ticket, exclusive)))
        await(win, target, ticket, exclusive, signature);
    if (!exclusive)
        tell(win, target, uno_lock_share(&queue), false);
}

void uno_win_take_far(struct uno_mpi_win *win, int target, bool exclusive, unsigned signature) {
    struct uno_receive turn;
    uno_win_expect(win, UNO_WILD, UNO_WIN_TURN + target, NULL, 0, &turn);
    uno_ask_lock(win, target, exclusive);
    uno_wait_received(&turn, win->owner.comm->peer[target], signature);
}

void uno_win_take_for(struct uno_mpi_win *win, int origin, bool exclusive) {
    struct uno_win_queue queue = queue_of(win, win->me);
    uint32_t ticket = uno_lock_ask(&queue);
    if (uno_lock_is_free(&queue, ticket, exclusive) || !uno_lock_wait(&queue, ticket, exclusive, origin))
        tell(win, win->me, origin, exclusive);
}

void uno_win_give(struct uno_mpi_win *win, int target, bool exclusive) {
    struct uno_win_queue queue = queue_of(win, target);
    int told[2];
    uno_lock_give(&queue, exclusive, told);
    tell(win, target, told[0], true);
    tell(win, target, told[1], false);
}

/* ---- the short lock ---------------------------------------------------------------------------------------
 */

enum { SOON = 64 /* looks, which take longer than the lock is held by a rank that has a processor */ };

void uno_win_hold_slowly(struct uno_mpi_win *win, int target, unsigned signature) {
    struct uno_win_hold *hold = &win->control[target].hold;
    struct uno_pe *pe = uno_rank->pe;
    uno_add32_seq_cst(&hold->wanted, 1);
    for (unsigned looks = 1;; looks++) {
        uint64_t by = uno_load64_relaxed(&hold->rank);
        if (!by && uno_hold_try(hold, win->me))
            break;
        uno_pause();
        if (looks % SOON)
            continue;
        if (by)
            uno_fault_check(pe, win->owner.comm->peer[by - 1], signature);
        uno_wait_give_away(pe);
    }
    uno_add32_seq_cst(&hold->wanted, UINT32_MAX);
}

void uno_win_hold_offer(const struct uno_mpi_win *win, int target) {
    const struct uno_win_hold *hold = &win->control[target].hold;
    for (unsigned looks = 0; !uno_load64_relaxed(&hold->rank); looks++) {
        if (looks == SOON) { /* it has no processor */
            uno_wait_give_away(uno_rank->pe);
            return;
        }
        uno_pause();
    }
}

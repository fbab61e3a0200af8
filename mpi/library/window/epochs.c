/* The epochs in which a rank accesses the memory of others: between two fences, from MPI_Win_start to
 * MPI_Win_complete, or while it has locked them. What it does there is done when the call returns, or, if the
 * target was asked for it, before the end of the epoch is told. */

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "collective/operation/collective.h"
#include "engine/atomic.h"
#include "library/calls.h"
#include "library/rank/ops.h"
#include "library/rank/waits.h"
#include "library/window/ask.h"
#include "library/window/messages.h"

int uno_win_out_of_step(const struct uno_mpi_win *win, const char *wants) {
    static const char *const epochs[] = {"in no epoch", "between two calls of MPI_Win_fence",
                                         "between MPI_Win_start and MPI_Win_complete",
                                         "in an epoch of MPI_Win_lock", "in an epoch of MPI_Win_lock_all"};
    const char *posted = win->posted ? ", and between MPI_Win_post and MPI_Win_wait" : "";
    return uno_error(MPI_ERR_RMA_SYNC, "%s does not fit: this rank is %s%s", wants, epochs[win->epoch],
                     posted);
}

static int check_assertion(int assertion, int allowed) {
    if (!(assertion & ~allowed))
        return MPI_SUCCESS;
    return uno_error(MPI_ERR_ASSERT, "assert has bits that this call does not know: 0x%x",
                     (unsigned)(assertion & ~allowed));
}

/* Open all targets, or close them. */
static void set_all(struct uno_mpi_win *win, enum uno_win_epoch epoch, enum uno_win_open open) {
    win->epoch = epoch;
    memset(win->open, (int)open, (size_t)win->n);
}

/* ---- fences ----------------------------------------------------------------------------------------------
 */

int uno_mpi_win_fence(int assert, struct uno_mpi_win *win) {
    const struct uno_comm *c = &win->owner.comm->comm;
    int error =
        check_assertion(assert, MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED);
    if (error)
        return error;
    if (win->epoch > UNO_EPOCH_FENCE || win->posted)
        return uno_win_out_of_step(win, "MPI_Win_fence");
    error = uno_ask_finish(win, UNO_ALL_TARGETS, true, UNO_SIGNATURE_MPI_WIN_COMPLETE);
    uno_fence_full();
    if (win->owner.comm->scheduled) {
        uno_inter_barrier(win->owner.comm);
    } else if (c->size > 1) {
        uno_barrier_as(c, UNO_SIGNATURE_MPI_WIN_FENCE);
    }
    bool last = assert &MPI_MODE_NOSUCCEED;
    set_all(win, last ? UNO_EPOCH_NONE : UNO_EPOCH_FENCE, last ? UNO_WIN_CLOSED : UNO_WIN_FENCED);
    return error;
}

/* ---- post, start, complete, wait -------------------------------------------------------------------------
 */

static int check_group(const struct uno_mpi_win *win, const struct uno_mpi_group *group) {
    for (int i = 0; i < group->size; i++)
        if (uno_comm_rank_of(win->owner.comm, group->pe[i]) == MPI_UNDEFINED)
            return uno_error(MPI_ERR_GROUP, "rank %d of group is not among the window's", i);
    return MPI_SUCCESS;
}

int uno_mpi_win_post(struct uno_mpi_group *group, int assert, struct uno_mpi_win *win) {
    int error = check_assertion(assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
    error = error ? error : check_group(win, group);
    if (error)
        return error;
    if (win->posted)
        return uno_win_out_of_step(win, "MPI_Win_post");
    win->posted = uno_object_hold(group);
    win->completes = uno_base_allocate((size_t)group->size + 1, sizeof *win->completes);
    for (int i = 0; i < group->size; i++) {
        uno_win_expect(win, group->pe[i], UNO_WIN_COMPLETE, NULL, 0, &win->completes[i]);
        uno_win_tell(win, group->pe[i], UNO_WIN_POST);
    }
    return MPI_SUCCESS;
}

int uno_mpi_win_start(struct uno_mpi_group *group, int assert, struct uno_mpi_win *win) {
    int error = check_assertion(assert, MPI_MODE_NOCHECK);
    error = error ? error : check_group(win, group);
    if (error)
        return error;
    if (win->epoch > UNO_EPOCH_FENCE)
        return uno_win_out_of_step(win, "MPI_Win_start");
    set_all(win, UNO_EPOCH_START, UNO_WIN_CLOSED);
    win->started = uno_object_hold(group);
    for (int i = 0; i < group->size; i++) {
        struct uno_receive post;
        uno_win_expect(win, group->pe[i], UNO_WIN_POST, NULL, 0, &post);
        uno_wait_received(&post, group->pe[i], UNO_SIGNATURE_MPI_WIN_START);
        win->open[uno_comm_rank_of(win->owner.comm, group->pe[i])] = UNO_WIN_STARTED;
    }
    return MPI_SUCCESS;
}

int uno_mpi_win_complete(struct uno_mpi_win *win) {
    if (win->epoch != UNO_EPOCH_START)
        return uno_win_out_of_step(win, "MPI_Win_complete");
    int error = uno_ask_finish(win, UNO_ALL_TARGETS, true, UNO_SIGNATURE_MPI_WIN_COMPLETE);
    uno_fence_full();
    for (int i = 0; i < win->started->size; i++)
        uno_win_tell(win, win->started->pe[i], UNO_WIN_COMPLETE);
    uno_object_drop(win->started);
    win->started = NULL;
    set_all(win, UNO_EPOCH_NONE, UNO_WIN_CLOSED);
    return error;
}

static void end_exposure(struct uno_mpi_win *win) {
    free(win->completes);
    win->completes = NULL;
    uno_object_drop(win->posted);
    win->posted = NULL;
}

int uno_mpi_win_wait(struct uno_mpi_win *win) {
    if (!win->posted)
        return uno_win_out_of_step(win, "MPI_Win_wait");
    for (int i = 0; i < win->posted->size; i++)
        uno_wait_received(&win->completes[i], win->posted->pe[i], UNO_SIGNATURE_MPI_WIN_WAIT);
    end_exposure(win);
    return MPI_SUCCESS;
}

int uno_mpi_win_test(struct uno_mpi_win *win, int *flag) {
    if (!win->posted)
        return uno_win_out_of_step(win, "MPI_Win_test");
    *flag = 1;
    uno_channel_advance(uno_rank->channel);
    for (int i = 0; i < win->posted->size && *flag; i++)
        *flag = win->completes[i].done;
    if (*flag)
        end_exposure(win);
    else
        uno_channel_looked_in_vain(uno_rank->channel, UNO_WILD, UNO_SIGNATURE_MPI_WIN_WAIT);
    return MPI_SUCCESS;
}

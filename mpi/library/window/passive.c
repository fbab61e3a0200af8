/* Locks of targets, which need to do nothing for those of their node. */

#include <string.h>

#include "engine/atomic.h"
#include "library/calls.h"
#include "library/rank/ops.h"
#include "library/window/ask.h"

static int check_assertion(int assertion) {
    if (!(assertion & ~MPI_MODE_NOCHECK))
        return MPI_SUCCESS;
    return uno_error(MPI_ERR_ASSERT, "assert is 0x%x, and only MPI_MODE_NOCHECK is known here",
                     (unsigned)assertion);
}

static void lock(struct uno_mpi_win *win, int rank, bool exclusive, bool checked, unsigned signature) {
    if (checked && UNO_UNLIKELY(win->part[rank].far))
        uno_win_take_far(win, rank, exclusive, signature);
    else if (checked)
        uno_win_take(win, rank, exclusive, signature);
    win->open[rank] = checked ? exclusive ? UNO_WIN_EXCLUSIVE : UNO_WIN_SHARED : UNO_WIN_UNCHECKED;
}

/* Give the lock back. A neighbour gets it when all that was asked of the target before is done, which a
 * target on another node sees to itself. */
static int unlock(struct uno_mpi_win *win, int rank) {
    bool far = win->part[rank].far, exclusive = win->open[rank] == UNO_WIN_EXCLUSIVE;
    bool has = win->open[rank] != UNO_WIN_UNCHECKED;
    int error = far ? MPI_SUCCESS : uno_ask_finish(win, rank, true, UNO_SIGNATURE_MPI_WIN_UNLOCK);
    if (has && UNO_UNLIKELY(far))
        uno_ask_unlock(win, rank, exclusive);
    else if (has)
        uno_win_give(win, rank, exclusive);
    win->open[rank] = UNO_WIN_CLOSED;
    uno_win_advance(win);
    return error;
}

int uno_mpi_win_lock(int lock_type, int rank, int assert, struct uno_mpi_win *win) {
    if (lock_type != MPI_LOCK_EXCLUSIVE && lock_type != MPI_LOCK_SHARED)
        return uno_error(MPI_ERR_LOCKTYPE, "lock_type is neither MPI_LOCK_EXCLUSIVE nor MPI_LOCK_SHARED");
    int error = check_assertion(assert);
    if (error)
        return error;
    bool fits = win->epoch == UNO_EPOCH_LOCK || win->epoch <= UNO_EPOCH_FENCE;
    if (!fits || (rank >= 0 && win->epoch == UNO_EPOCH_LOCK && win->open[rank]))
        return uno_win_out_of_step(win, "MPI_Win_lock");
    if (win->epoch == UNO_EPOCH_FENCE)
        memset(win->open, UNO_WIN_CLOSED, (size_t)win->n);
    win->epoch = UNO_EPOCH_LOCK;
    win->locked++;
    if (rank >= 0)
        lock(win, rank, lock_type == MPI_LOCK_EXCLUSIVE, !(assert &MPI_MODE_NOCHECK),
             UNO_SIGNATURE_MPI_WIN_LOCK);
    return MPI_SUCCESS;
}

int uno_mpi_win_unlock(int rank, struct uno_mpi_win *win) {
    if (win->epoch != UNO_EPOCH_LOCK || (rank >= 0 && !win->open[rank]))
        return uno_win_out_of_step(win, "MPI_Win_unlock");
    int error = rank >= 0 ? unlock(win, rank) : MPI_SUCCESS;
    if (!--win->locked)
        win->epoch = UNO_EPOCH_NONE;
    return rank < 0 || error ? error : uno_ask_finish(win, rank, true, UNO_SIGNATURE_MPI_WIN_UNLOCK);
}

int uno_mpi_win_lock_all(int assert, struct uno_mpi_win *win) {
    int error = check_assertion(assert);
    if (error)
        return error;
    if (win->epoch > UNO_EPOCH_FENCE)
        return uno_win_out_of_step(win, "MPI_Win_lock_all");
    win->epoch = UNO_EPOCH_LOCK_ALL;
    for (int r = 0; r < win->n; r++)
        lock(win, r, false, !(assert &MPI_MODE_NOCHECK), UNO_SIGNATURE_MPI_WIN_LOCK_ALL);
    return MPI_SUCCESS;
}

int uno_mpi_win_unlock_all(struct uno_mpi_win *win) {
    if (win->epoch != UNO_EPOCH_LOCK_ALL)
        return uno_win_out_of_step(win, "MPI_Win_unlock_all");
    int error = MPI_SUCCESS;
    for (int r = 0; r < win->n; r++) {
        int one = unlock(win, r);
        error = error ? error : one;
    }
    win->epoch = UNO_EPOCH_NONE;
    int late = uno_ask_finish(win, UNO_ALL_TARGETS, true, UNO_SIGNATURE_MPI_WIN_UNLOCK);
    return error ? error : late;
}

/* ---- completion within an epoch --------------------------------------------------------------------------
 */

/* Where ranks ask each other. there: what was asked for is done as well, and not only all that this rank
 * gets. Not in line, so that a flush in shared memory alone keeps no registers. */
static __attribute__((noinline)) int flush_asked(struct uno_mpi_win *win, int target, bool there) {
    uno_win_advance(win);
    uno_fence_release();
    return uno_ask_finish(win, target, there, UNO_SIGNATURE_MPI_WIN_FLUSH);
}

/* All that was done in shared memory is done: it has only to be seen by others before what this rank does now
 * (uno_win_order). */
static inline int flush(struct uno_mpi_win *win, int target, bool open, bool there, const char *name) {
    if (UNO_UNLIKELY(win->epoch < UNO_EPOCH_LOCK || !open))
        return uno_win_out_of_step(win, name);
    if (UNO_UNLIKELY(win->remote != NULL))
        return flush_asked(win, target, there);
    uno_fence_release();
    return MPI_SUCCESS;
}

/* Likewise, of one target. */
static inline int flush_one(struct uno_mpi_win *win, int target, bool there, const char *name) {
    if (UNO_UNLIKELY(target < 0))
        return win->epoch < UNO_EPOCH_LOCK ? uno_win_out_of_step(win, name) : MPI_SUCCESS;
    return flush(win, target, win->open[target], there, name);
}

int uno_mpi_win_flush(int rank, struct uno_mpi_win *win) {
    return flush_one(win, rank, true, "MPI_Win_flush");
}
int uno_mpi_win_flush_all(struct uno_mpi_win *win) {
    return flush(win, UNO_ALL_TARGETS, true, true, "MPI_Win_flush_all");
}
int uno_mpi_win_flush_local(int rank, struct uno_mpi_win *win) {
    return flush_one(win, rank, false, "MPI_Win_flush_local");
}
int uno_mpi_win_flush_local_all(struct uno_mpi_win *win) {
    return flush(win, UNO_ALL_TARGETS, true, false, "MPI_Win_flush_local_all");
}

int uno_mpi_win_sync(struct uno_mpi_win *win) {
    if (win->epoch < UNO_EPOCH_LOCK)
        return uno_win_out_of_step(win, "MPI_Win_sync");
    uno_win_advance(win);
    uno_fence_full();
    return MPI_SUCCESS;
}

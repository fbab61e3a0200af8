#include "library/window/carry.h"

#include <string.h>

#include "engine/fault.h"
#include "engine/kernel.h"
#include "engine/reach.h"
#include "library/rank/ops.h"
#include "library/window/ask.h"

/* For so long a rank waits to be told why another one's process is gone. */
enum { REPORT_MS = 1000 };

/* The memory of a rank that has ended is gone a little before the launcher tells of it: then this one ends
 * with that report. */
static int unreached(const struct uno_spot *spot) {
    int pe = spot->win->owner.comm->peer[spot->rank];
    bool gone = uno_reach_gone(uno_rank->pe, pe);
    for (int ms = 0; ms < REPORT_MS && gone; ms++) {
        uno_fault_check(uno_rank->pe, pe, UNO_SIGNATURE_MPI_WIN_ACCESS);
        uno_kernel_pause(1000000);
    }
    return uno_error(MPI_ERR_RMA_RANGE, "the memory of rank %d at %p cannot be reached", spot->rank,
                     (void *)(uintptr_t)spot->place); // NOLINT(performance-no-int-to-ptr)
}

int uno_win_write(const struct uno_spot *spot, const struct uno_runs *runs, const char *bytes) {
    if (uno_is_asked(spot))
        return uno_ask_write(spot, runs, bytes);
    int pe = spot->win->owner.comm->peer[spot->rank];
    for (size_t i = 0; i < runs->count; bytes += runs->run[i++].bytes) {
        struct uno_run run = runs->run[i];
        if (spot->at)
            memcpy(spot->at + run.at, bytes, run.bytes);
        else if (!uno_reach_write(uno_rank->pe, pe, spot->place + (uint64_t)run.at, bytes, run.bytes))
            return unreached(spot);
    }
    return MPI_SUCCESS;
}

int uno_win_read(const struct uno_spot *spot, const struct uno_runs *runs, char *bytes) {
    if (uno_is_asked(spot))
        return uno_ask_read(spot, runs);
    int pe = spot->win->owner.comm->peer[spot->rank];
    for (size_t i = 0; i < runs->count; bytes += runs->run[i++].bytes) {
        struct uno_run run = runs->run[i];
        if (spot->at)
            memcpy(bytes, spot->at + run.at, run.bytes);
        else if (!uno_reach_read(uno_rank->pe, pe, spot->place + (uint64_t)run.at, bytes, run.bytes))
            return unreached(spot);
    }
    return MPI_SUCCESS;
}

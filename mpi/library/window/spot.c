#include "library/window/spot.h"

int uno_spot_closed(const struct uno_mpi_win *win, int rank) {
    static const char *const epochs[] = {"is not in an epoch", "is in an epoch of MPI_Win_fence",
                                         "has not started it by MPI_Win_start", "has not locked it",
                                         "is in an epoch of MPI_Win_lock_all"};
    return uno_error(MPI_ERR_RMA_SYNC, "rank %d may not be accessed: this rank %s", rank, epochs[win->epoch]);
}

int uno_spot_outside(const struct uno_mpi_win *win, int rank, MPI_Aint disp) {
    const struct uno_win_part *part = &win->part[rank];
    if (win->flavor == MPI_WIN_FLAVOR_DYNAMIC)
        return uno_error(MPI_ERR_RMA_RANGE, "address %p of rank %d is not in attached memory", (void *)disp,
                         rank); // NOLINT(performance-no-int-to-ptr)
    return uno_error(
        MPI_ERR_RMA_RANGE,
        "the data at displacement %lld are not in the window of rank %d, which has %lld bytes, and %d "
        "to a displacement",
        (long long)disp, rank, (long long)part->size, part->unit);
}

/* The reach of `count` elements: from *low to *high, from the address of the first on. False: it is too
 * large. */
static bool reach(MPI_Count count, const struct uno_mpi_type *type, MPI_Count *low, MPI_Count *high) {
    MPI_Count last;
    if (__builtin_mul_overflow(count - 1, (MPI_Count)type->layout.extent, &last))
        return false;
    *low = type->true_low + (last < 0 ? last : 0);
    return !__builtin_add_overflow(type->true_low + (MPI_Count)type->layout.true_extent, last > 0 ? last : 0,
                                   high);
}

int uno_spot_of_any(struct uno_spot *spot, struct uno_mpi_win *win, int rank, MPI_Aint disp, MPI_Count count,
                    const struct uno_mpi_type *type) {
    const struct uno_win_part *part = &win->part[rank];
    MPI_Aint from = disp;
    MPI_Count low = 0, high = 0;
    bool dynamic = win->flavor == MPI_WIN_FLAVOR_DYNAMIC;
    bool fits = dynamic || !__builtin_mul_overflow(disp, part->unit, &from);
    bool some = count && type->layout.size;
    fits = fits && (!some || reach(count, type, &low, &high));
    if (dynamic) {
        uintptr_t at = (uintptr_t)from;
        uno_spot_set(spot, win, rank, NULL, at);
        if (rank == win->me && fits && (fits = uno_win_has(win, at + (uintptr_t)low, (size_t)(high - low))))
            spot->at = (char *)at; // NOLINT(performance-no-int-to-ptr)
        return fits ? MPI_SUCCESS : uno_spot_outside(win, rank, disp);
    }
    fits = fits && from >= 0 && from <= part->size;
    if (!fits || from + low < 0 || high > part->size - from)
        return uno_spot_outside(win, rank, disp);
    uno_spot_set(spot, win, rank, part->at ? part->at + from : NULL, part->place + (uint64_t)from);
    return MPI_SUCCESS;
}

/* The place of an access: in which rank's memory, and from where on. */

#ifndef UNO_MPI_SPOT_H
#define UNO_MPI_SPOT_H

#include "library/type/type.h"
#include "library/window/window.h"

/* Elements of the program. */
struct uno_win_elements {
    void *at;
    MPI_Count count;
    const struct uno_mpi_type *type;
};

/* The place that a displacement names, where the target's first element begins. */
struct uno_spot {
    struct uno_mpi_win *win;
    int rank;
    char *at;       /* in this process; NULL: it is not there */
    uint64_t place; /* in the target's process; of a target that is asked, see struct uno_win_part */
    /* of an access that the target is asked for */
    const struct uno_win_elements *result; /* that get what the target's elements were; or NULL */
    struct uno_mpi_request *request;       /* that is done when they have it; or NULL */
};

/* Set all of it, one field after the other: from a structure made aside the compiler copies 16 bytes at a
 * time, and such a load waits for the stores of 8 bytes before it. */
static inline void uno_spot_set(struct uno_spot *spot, struct uno_mpi_win *win, int rank, char *at,
                                uint64_t place) {
    spot->win = win;
    spot->rank = rank;
    spot->at = at;
    spot->place = place;
    spot->result = NULL;
    spot->request = NULL;
}

/* Return true if this rank asks the target for accesses. */
static inline bool uno_is_asked(const struct uno_spot *spot) {
    return UNO_UNLIKELY(spot->win->part[spot->rank].asked);
}

/* The errors of uno_spot_of. */
int uno_spot_closed(const struct uno_mpi_win *win, int rank) __attribute__((cold));
int uno_spot_outside(const struct uno_mpi_win *win, int rank, MPI_Aint disp) __attribute__((cold));

/* The same for elements that do not lie there as they are packed: some are in front of it, or they have gaps.
 */
int uno_spot_of_any(struct uno_spot *spot, struct uno_mpi_win *win, int rank, MPI_Aint disp, MPI_Count count,
                    const struct uno_mpi_type *type);

/* Find the place of `count` elements in the target's memory. MPI_ERR_RMA_SYNC: the target is not to be
 * accessed now; MPI_ERR_RMA_RANGE: they are not all in its memory. Not for MPI_PROC_NULL. */
static inline int uno_spot_of(struct uno_spot *spot, struct uno_mpi_win *win, int rank, MPI_Aint disp,
                              MPI_Count count, const struct uno_mpi_type *type) {
    const struct uno_win_part *part = &win->part[rank];
    MPI_Aint from;
    size_t bytes;
    if (UNO_UNLIKELY(!win->open[rank]))
        return uno_spot_closed(win, rank);
    if (UNO_UNLIKELY(!type->layout.plain || win->flavor == MPI_WIN_FLAVOR_DYNAMIC))
        return uno_spot_of_any(spot, win, rank, disp, count, type);
    if (UNO_UNLIKELY(__builtin_mul_overflow(disp, part->unit, &from) || from < 0 || from > part->size ||
                     __builtin_mul_overflow((size_t)count, type->layout.size, &bytes) ||
                     bytes > (size_t)(part->size - from)))
        return uno_spot_outside(win, rank, disp);
    uno_spot_set(spot, win, rank, part->at ? part->at + from : NULL, part->place + (uint64_t)from);
    return MPI_SUCCESS;
}

#endif

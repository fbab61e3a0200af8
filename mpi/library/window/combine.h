/* Combining elements of a target with those of an origin, each element at once for all ranks that do so.
 * Those in 1, 2, 4 or 8 bytes of memory that all ranks map are changed at once. More, and others, are changed
 * by whoever holds the target's lock for it; meanwhile nobody changes any at once. */

#ifndef UNO_MPI_COMBINE_H
#define UNO_MPI_COMBINE_H

#include <string.h>

#include "library/object/op.h"
#include "library/window/carry.h"

/* The combination of elements of one type by one operation. */
struct uno_combining {
    size_t width;      /* bytes of an element in memory */
    uno_kernel kernel; /* NULL: MPI_REPLACE, or, if it keeps, MPI_NO_OP */
    bool keeps;
    bool adds; /* whole numbers */
    MPI_Op op;
    MPI_Datatype basic;
};

/* Fill it in. MPI_ERR_OP: the operation is not for elements of that type, or is the program's. */
int uno_combining_of(struct uno_combining *how, const struct uno_mpi_type *basic,
                     const struct uno_mpi_op *op);

/* Combine the elements in these runs at a place with those of the stream; `before`, unless NULL, is a stream
 * that gets what they were. Only if MPI_NO_OP keeps them `bytes` may be NULL. */
int uno_win_combine(const struct uno_spot *spot, const struct uno_runs *runs, const struct uno_combining *how,
                    const char *bytes, char *before, unsigned signature);

/* The same in three steps, of which the second may be repeated: the target's elements stay what they are
 * between. */
void uno_win_hold(const struct uno_spot *spot, unsigned signature);
int uno_win_combine_held(const struct uno_spot *spot, const struct uno_runs *runs,
                         const struct uno_combining *how, const char *bytes, char *before);
void uno_win_let_go(const struct uno_spot *spot);

/* Return true if so many bytes there may be changed at once; from uno_win_single_begin to uno_win_single_end
 * no other rank changes them in another way. */
static inline bool uno_win_single(const struct uno_spot *spot, MPI_Count at, size_t bytes) {
    uintptr_t place = (uintptr_t)spot->at + (uintptr_t)at;
    return !spot->win->apart && bytes <= 8 && !(bytes & (bytes - 1)) && !(place & (bytes - 1));
}
void uno_win_single_begin_slowly(struct uno_mpi_win *win, int target, unsigned signature)
    __attribute__((cold));

/* Returns true if the target's lock is held, to be given back. */
static inline bool uno_win_single_begin(const struct uno_spot *spot, unsigned signature) {
    struct uno_mpi_win *win = spot->win;
    struct uno_win_control *own = &win->control[win->me], *there = &win->control[spot->rank];
    if (UNO_LIKELY(uno_change_begin(&own->changes, (uint64_t)spot->rank + 1, &there->closed)))
        return false;
    uno_win_single_begin_slowly(win, spot->rank, signature);
    return true;
}

static inline void uno_win_single_end(const struct uno_spot *spot, bool held) {
    struct uno_mpi_win *win = spot->win;
    if (UNO_UNLIKELY(held))
        uno_win_give(win, spot->rank, true, true);
    else
        uno_change_end(&win->control[win->me].changes);
}

/* Change the elements in so many bytes; returns, as a number, what they were. */
uint64_t uno_single(const struct uno_combining *how, void *at, size_t bytes, uint64_t with);

/* The bytes of an element as a number, and back. */
static inline uint64_t uno_number_of(const void *at, size_t width) {
    uint64_t eight = 0;
    uint32_t four;
    uint16_t two;
    switch (width) {
    case 8:
        memcpy(&eight, at, 8);
        return eight;
    case 4:
        memcpy(&four, at, 4);
        return four;
    case 2:
        memcpy(&two, at, 2);
        return two;
    default:
        return *(const unsigned char *)at;
    }
}
static inline void uno_number_to(void *at, size_t width, uint64_t number) {
    uint32_t four = (uint32_t)number;
    uint16_t two = (uint16_t)number;
    switch (width) {
    case 8:
        memcpy(at, &number, 8);
        break;
    case 4:
        memcpy(at, &four, 4);
        break;
    case 2:
        memcpy(at, &two, 2);
        break;
    default:
        *(unsigned char *)at = (unsigned char)number;
    }
}

#endif

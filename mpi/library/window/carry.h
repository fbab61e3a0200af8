/* Copies between a stream and the memory of a target, or within this process. */

#ifndef UNO_MPI_CARRY_H
#define UNO_MPI_CARRY_H

#include <string.h>

#include "engine/atomic.h"
#include "library/window/spot.h"
#include "library/window/stream.h"

/* Copy the stream to these runs at a place, or from them. Returns MPI_ERR_RMA_RANGE if the kernel finds no
 * memory there. What is read from a target that is asked goes to spot->result, later. */
int uno_win_write(const struct uno_spot *spot, const struct uno_runs *runs, const char *bytes);
int uno_win_read(const struct uno_spot *spot, const struct uno_runs *runs, char *bytes);

/* Copy without a call where it is short. */
static inline void uno_win_copy(char *to, const char *from, size_t bytes) {
    if (bytes == 8)
        memcpy(to, from, 8);
    else if (bytes <= 64)
        uno_copy_short(to, from, bytes);
    else
        memmove(to, from, bytes);
}

#endif

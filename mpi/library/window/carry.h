/* Copies between a stream and the memory of a target. */

#ifndef UNO_MPI_CARRY_H
#define UNO_MPI_CARRY_H

#include "library/window/spot.h"
#include "library/window/stream.h"

/* Copy the stream to these runs at a place, or from them. Returns MPI_ERR_RMA_RANGE if the kernel finds no
 * memory there. */
int uno_win_write(const struct uno_spot *spot, const struct uno_runs *runs, const char *bytes);
int uno_win_read(const struct uno_spot *spot, const struct uno_runs *runs, char *bytes);

#endif

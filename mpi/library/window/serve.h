/* The other side of ask.h: what a rank does for others in its memory, whenever it waits or looks for
 * messages. */

#ifndef UNO_MPI_SERVE_H
#define UNO_MPI_SERVE_H

#include "library/window/window.h"

/* Begin to serve the other ranks of a window, and end it. */
void uno_serve_begin(struct uno_mpi_win *win);
void uno_serve_end(struct uno_mpi_win *win);

#endif

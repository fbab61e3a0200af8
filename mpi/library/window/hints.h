/* Hints that the program gives with windows. */

#ifndef UNO_MPI_HINTS_H
#define UNO_MPI_HINTS_H

#include "library/window/window.h"

/* Take over those hints that are known to windows. */
void uno_win_take_hints(struct uno_mpi_win *win, const struct uno_mpi_info *info);

#endif

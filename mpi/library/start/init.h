#ifndef UNO_MPI_INIT_H
#define UNO_MPI_INIT_H

#include <stdbool.h>

/* Return true if MPI_Init has been called, whichever thread asks, and MPI_Finalize has not; then which PE
 * this process is, and which thread (gettid) has called it. */
bool uno_is_between(int *pe, int *thread);

#endif

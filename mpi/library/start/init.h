#ifndef UNO_MPI_INIT_H
#define UNO_MPI_INIT_H

#include <stdbool.h>

/* Return true if MPI_Init has been called, by whichever thread, and MPI_Finalize has not. *pe: the PE of this
 * process; *thread: the thread (gettid) that called MPI_Init. */
bool uno_is_between(int *pe, int *thread);

#endif

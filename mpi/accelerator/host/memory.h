/* The memory that the ranks of a node share. */

#ifndef UNO_MEMORY_H
#define UNO_MEMORY_H

#include <stddef.h>

#include "accelerator/host/host.h"

/* Map the same memory in every rank of the communicator, whose ranks are on one node. It is zeros, and what
 * `prepare` makes of them in rank 0 before the others see it. NULL in all ranks if one cannot, which says
 * why. */
void *uno_memory_share(MPI_Comm comm, size_t size, void (*prepare)(void *memory));

#endif

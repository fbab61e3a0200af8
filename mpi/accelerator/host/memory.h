/* The memory that the ranks of a node share. */

#ifndef UNO_MEMORY_H
#define UNO_MEMORY_H

#include <stddef.h>

#include "accelerator/host/host.h"

/* Map the same memory in every rank of the communicator, whose ranks are on one node. Rank 0 calls `prepare`
 * on the zeroed memory before the others see it. Returns NULL in all ranks if one rank fails, which reports
 * the reason. */
void *uno_memory_share(MPI_Comm comm, size_t size, void (*prepare)(void *memory));

#endif

/* The unit of a PE that runs its interrupt handler: every operation is an error. */

#ifndef UNO_HANDLING_H
#define UNO_HANDLING_H

#include "engine/pe.h"

/* Run the program's handler, pe->on_interrupt. This is the value of pe->handle. */
void uno_handle(struct uno_pe *pe, const uint64_t *cause);

#endif

/* The step from a thread to a PE. */

#ifndef UNO_START_H
#define UNO_START_H

#include "pe.h"

/* Make the PE that has number `me` in the job, to be freed. Its group is all PEs. NULL: out of memory. */
struct uno_pe *uno_pe_start(const struct uno_unit *unit, struct uno_job *job, int me);

/* Make a PE of the calling thread, in the same way, that meets other PEs by engine/rendezvous.h alone,
 * without a unit. */
struct uno_pe *uno_pe_start_here(struct uno_job *job, int me);

#endif

/* unisono run --debug: PEs under gdb, each on a terminal of its own. */

#ifndef UNO_CLI_DEBUG_H
#define UNO_CLI_DEBUG_H

#include "launch/request.h"

/* Let the PEs of a list such as 0,2-4, or all if that is NULL, run under gdb, once the parts have their
 * environments. The parts get lists of words in memory that the caller frees, in *lists, at the end of the
 * job. Returns NULL, or why that cannot be. */
const char *debug_parts(struct uno_launch *launch, const char *list, char ***lists);

#endif

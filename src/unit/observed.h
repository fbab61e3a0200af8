/* Any unit, with a record of each operation, for --stats and --trace. */

#ifndef UNO_OBSERVED_H
#define UNO_OBSERVED_H

#include "engine/pe.h"

/* Record this PE's operations in its unit from now on. */
void uno_observe(struct uno_pe *pe);

#endif

/* The functions that the simulated units share, beside their ports. */

#ifndef UNO_SIMULATED_H
#define UNO_SIMULATED_H

#include "rtl/rtl.h"
#include "unit/unit.h"

/* The ways of PAPERS1. */
extern const struct uno_ways uno_papers1_ways;

/* The `part` function of struct uno_unit: the join of the unit of processes has made the PE. */
static inline void uno_simulated_part(struct uno_pe *pe) {
    uno_rtl_end(pe);
    uno_unit_shm.part(pe);
}

#endif

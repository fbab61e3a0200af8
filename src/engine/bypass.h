/* The operations whose data go past the hardware of a job, simulated or not, by memory that the PEs share,
 * since the unit does not carry them. The launcher says it once, by name. */

#ifndef UNO_BYPASS_H
#define UNO_BYPASS_H

#include "pe.h"
#include "signature.h"

/* Record that the data of an operation go past the unit, if there is one. Messages are one operation,
 * UNO_OPS_MESSAGE. */
static inline void uno_bypass(struct uno_pe *pe, unsigned op) {
    uint64_t bit = UINT64_C(1) << op;
    if (UNO_UNLIKELY(uno_pe_on_hardware(pe)) && !(uno_load64_relaxed(&pe->job->bypassed) & bit))
        uno_or64_seq_cst(&pe->job->bypassed, bit);
}

#endif

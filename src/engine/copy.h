/* Copies of large blocks: through the caches, or past them. */

#ifndef UNO_COPY_H
#define UNO_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "trial.h"

/* A function that copies as memcpy does. */
typedef void *uno_copy(void *to, const void *from, size_t bytes);

/* Copy past the caches: whole lines are written straight to memory, which neither reads them before nor
 * evicts other lines. The data are visible to every PE that meets this one afterwards. */
uno_copy uno_copy_past;

/* The measurements of one PE's copies of one kind: for each power of two of bytes, a trial of the two ways.
 * Starts as zeros. */
struct uno_copies {
    struct uno_trial trial[sizeof(size_t) * 8]; /* way 0: memcpy; 1: past the caches */
    struct uno_trial *now; /* the trial of the copy that has begun; NULL: it is too short for one */
    uint64_t began;
};

/* Choose how to copy so many bytes, in any number of calls, and report when they are copied. The trial counts
 * the processor time of this PE, since other PEs may have the processor in between. */
uno_copy *uno_copy_begin(struct uno_copies *copies, size_t bytes);
void uno_copy_end(struct uno_copies *copies);

#endif

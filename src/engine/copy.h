/* Copies of much: through the caches, or past them. */

#ifndef UNO_COPY_H
#define UNO_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "trial.h"

/* How to copy: as memcpy. */
typedef void *uno_copy(void *to, const void *from, size_t bytes);

/* memcpy that leaves the caches alone: whole lines are written straight to memory, which neither reads them
 * before nor throws other lines out. What it wrote is visible to who meets this PE afterwards. */
uno_copy uno_copy_past;

/* What a PE knows of its copies of one kind: for each power of two of bytes, a trial of the two ways. Starts
 * as zeros. */
struct uno_copies {
    struct uno_trial trial[sizeof(size_t) * 8]; /* way 0: memcpy; 1: past the caches */
    struct uno_trial *now; /* of the copy that has begun; NULL: it is too short for one */
    uint64_t began;
};

/* How to copy so many bytes, in as many calls as it takes; and then the end of that. What counts is the time
 * for which the PE has a processor: others may have it in between. */
uno_copy *uno_copy_begin(struct uno_copies *copies, size_t bytes);
void uno_copy_end(struct uno_copies *copies);

#endif

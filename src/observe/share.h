/* The memory of recorded calls, as the launcher makes it and a rank opens it. */

#ifndef UNO_SEEN_SHARE_H
#define UNO_SEEN_SHARE_H

#include "memory.h"

/* The launcher's side of it. */
struct uno_seen_share {
    struct uno_seen_memory *memory; /* NULL: none was made */
    size_t size;
    int fd;
    char variable[96]; /* the value of UNO_SEEN_ENVIRONMENT for the ranks */
};

/* Make the memory for n ranks; 0: for as many as there will be, up to UNO_SEEN_RANKS. Returns 0 or -errno. */
int uno_seen_make(struct uno_seen_share *share, int n);
void uno_seen_drop(struct uno_seen_share *share);

/* Return the nanoseconds of a tick, by the time from the making of the memory until now. */
double uno_seen_scale(const struct uno_seen_memory *memory);

/* Return the time of now, in ticks. */
uint64_t uno_seen_now(const struct uno_seen_memory *memory);

/* Map the memory that the environment tells of, for n ranks. NULL: errno tells why: ENOENT if it tells of
 * none, EINVAL if it is for another number of ranks. */
struct uno_seen_memory *uno_seen_open(int n);

#endif

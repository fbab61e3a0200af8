/* The activity of a thread while it should have slept. */

#ifndef WAKING_H
#define WAKING_H

#include <stdbool.h>

struct waking {
    double seconds; /* processor time */
    long wakes;
    long fences; /* fences on all processors, by membarrier */
};

/* Return the activity of this thread so far; and since then. */
struct waking waking_now(void);
struct waking waking_since(const struct waking *then);

/* From now on the kernel tells this thread that it cannot wait for one of two words, as before Linux 5.16. */
void waking_refuse_either(void);

#endif

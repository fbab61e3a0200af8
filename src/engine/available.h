/* How much memory there is. */

#ifndef UNO_AVAILABLE_H
#define UNO_AVAILABLE_H

#include <stdint.h>

struct uno_available {
    uint64_t bytes;    /* that this process can still take */
    const char *limit; /* what it is that allows no more, as in "LIMIT leaves 3 GB" */
};

/* The least of what the machine, this process's control groups and its resource limits leave. */
struct uno_available uno_memory_available(void);

#endif

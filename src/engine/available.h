/* The memory that a process can still take. */

#ifndef UNO_AVAILABLE_H
#define UNO_AVAILABLE_H

#include <stdint.h>

struct uno_available {
    uint64_t bytes;    /* bytes that this process can still take */
    const char *limit; /* the limit that allows no more, for "LIMIT leaves 3 GB" */
};

/* Return the least of what the machine, this process's control groups and its resource limits leave, if so
 * many processes take as much at the same time, this one among them. */
struct uno_available uno_memory_available(int processes);

#endif

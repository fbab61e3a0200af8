/* unisono sort: how much memory there is. */

#ifndef UNO_CLI_SORT_MEMORY_H
#define UNO_CLI_SORT_MEMORY_H

#include <stdint.h>

struct sort_memory {
    uint64_t bytes;    /* that this process can still take */
    const char *limit; /* what it is that allows no more, as in "LIMIT leaves 3 GB" */
};

/* The least of what the machine, this process's control groups and its resource limits leave. */
struct sort_memory sort_memory(void);

#endif

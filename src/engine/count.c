#define _GNU_SOURCE
#include "count.h"

#include <errno.h>
#include <unistd.h>

bool uno_count(uint64_t *instructions) {
    static _Thread_local bool absent; /* nobody counts */
    if (absent)
        return false;
    uint64_t count = UINT64_MAX; /* which no count is */
    int before = errno;
    syscall(UNO_COUNT_CALL, &count); /* fails in any case */
    errno = before;
    absent = count == UINT64_MAX;
    if (!absent)
        *instructions = count;
    return !absent;
}

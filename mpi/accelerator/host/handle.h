/* Handles of the host's objects as numbers, and as places in small tables. */

#ifndef UNO_HANDLE_H
#define UNO_HANDLE_H

#include <stdint.h>

/* An MPI handle is an int or a pointer. */
#define UNO_HANDLE(handle) ((uint64_t)(uintptr_t)(handle))

enum { UNO_HANDLES = 256 /* places of a table */ };

/* Return a number that is the same for the same handle, and mostly differs between handles that a program
 * uses together. */
static inline unsigned uno_handle_hash(uint64_t handle) {
    return (uint32_t)((uint32_t)(handle ^ handle >> 32) * UINT32_C(0x9e3779b1)) >> 24;
}

#endif

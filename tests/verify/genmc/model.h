/* Each model for GenMC begins with this file. The files of the engine are compiled as they are, and
 * src/engine/atomic.h with them, on the tool's own <stdatomic.h>: the tool checks the library's own memory
 * orders. Operations that are no accesses of memory, or none of C11's, are left out. */

#ifndef MODEL_H
#define MODEL_H

#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#undef __x86_64__ /* pauses and fetches of lines are instructions of a processor */

/* The tool takes a compiler fence for one of the processor, which would hide a missing fence. */
#undef atomic_signal_fence
#define atomic_signal_fence(order) ((void)0)

/* Copy by words of 8 bytes: the tool tells accesses apart by their size, and all of a model have 8 bytes. */
static inline void copy_words(void *to, const void *from, size_t bytes) {
    assert(bytes % 8 == 0);
    for (size_t i = 0; i < bytes / 8; i++)
        ((uint64_t *)to)[i] = ((const uint64_t *)from)[i];
}
#define memcpy copy_words

#include "engine/atomic.h"

#ifdef PLANT /* the fault that the tool must find: nothing that a store publishes comes with it */
#define uno_store64_release uno_store64_relaxed
#endif

/* Wait: only the look that ends the wait is modelled, and an execution in which that look is too early is
 * dropped. Earlier looks have loaded older values, and order nothing that the last one does not order. */
static inline void wait_for(bool seen) {
    __VERIFIER_assume(seen);
}

#endif

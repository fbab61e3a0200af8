/* The kernel's functions that waiting uses, so that the model checker can replace them. */

#ifndef UNO_KERNEL_H
#define UNO_KERNEL_H

#include "atomic.h"

/* Return CLOCK_MONOTONIC, in ns. */
uint64_t uno_kernel_now(void);

/* Return the processor time of this thread, in ns. */
uint64_t uno_kernel_used(void);

/* Return the processor that this thread runs on. */
uint32_t uno_kernel_processor(void);

/* Let another process have this processor. */
void uno_kernel_yield(void);

/* Create memory without a name, to be shared by descriptor. Returns its descriptor, closed on exec, or -1 and
 * errno. */
int uno_kernel_memory(const char *name);

/* Set the size of such memory once and for all: a process that has it mapped would be killed by a signal
 * (SIGBUS) if another process could cut it. Returns 0, or -1 and errno. */
int uno_kernel_memory_size(int fd, uint64_t size);

/* Return the number of runnable threads of the machine; INT_MAX: it is not known. */
int uno_kernel_running(void);

/* Register this process for uno_kernel_fence, before it sleeps for the first time. */
void uno_kernel_start(void);

/* The heavy side of uno_fence_light: every thread of every registered process runs a full fence before this
 * returns. Where the kernel refuses it, this does nothing, and a lost wake-up lasts until the bound on the
 * sleep. */
void uno_kernel_fence(void);

/* Sleep for at most ns, until uno_kernel_wake is called on this header; return at once if it is not `seen`.
 */
void uno_kernel_sleep(uno_atomic64 *header, uint64_t seen, uint64_t ns);
void uno_kernel_wake(uno_atomic64 *header);

/* As uno_kernel_sleep, on two words: sleep until uno_kernel_wake is called on either. Returns false, without
 * having slept, if this kernel cannot (Linux before 5.16). */
bool uno_kernel_sleep_either(uno_atomic64 *a, uint64_t a_seen, uno_atomic64 *b, uint64_t b_seen, uint64_t ns);

/* Sleep for ns. */
void uno_kernel_pause(uint64_t ns);

#endif

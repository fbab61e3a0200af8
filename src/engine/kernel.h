/* What waiting asks of the kernel, so that the model checker can stand in for it. */

#ifndef UNO_KERNEL_H
#define UNO_KERNEL_H

#include "atomic.h"

/* CLOCK_MONOTONIC, in ns. */
uint64_t uno_kernel_now(void);

/* The time that this thread has had a processor for, in ns. */
uint64_t uno_kernel_used(void);

/* The processor that this thread runs on. */
uint32_t uno_kernel_processor(void);

/* Let another process have this processor. */
void uno_kernel_yield(void);

/* Memory without a name, to be shared by descriptor: its descriptor, closed on exec, or -1 and errno. */
int uno_kernel_memory(const char *name);

/* Give such memory its size, which nobody can change from then on: who has it mapped would be killed by a
 * signal (SIGBUS) if another process could cut it. Returns 0, or -1 and errno. */
int uno_kernel_memory_size(int fd, uint64_t size);

/* How many threads of the machine run or could; INT_MAX: it is not known. */
int uno_kernel_running(void);

/* Before this process sleeps for the first time: register for uno_kernel_fence. */
void uno_kernel_start(void);

/* The heavy side of uno_fence_light: every thread of every registered process runs a full fence before this
 * returns. Where the kernel refuses it, it does nothing, and the bound on a sleep is what is left. */
void uno_kernel_fence(void);

/* Sleep for at most ns, until uno_kernel_wake is called on this header; return at once if it is not `seen`.
 */
void uno_kernel_sleep(uno_atomic64 *header, uint64_t seen, uint64_t ns);
void uno_kernel_wake(uno_atomic64 *header);

/* The same on two of them: until it is called on either, or one is not as it was seen. False: this kernel
 * does not have that (Linux before 5.16), and nobody has slept. */
bool uno_kernel_sleep_either(uno_atomic64 *a, uint64_t a_seen, uno_atomic64 *b, uint64_t b_seen, uint64_t ns);

/* Sleep for ns. */
void uno_kernel_pause(uint64_t ns);

#endif

/* The number of instructions that a thread has executed, where an emulator counts them: qemu's user mode with
 * the plugin of src/hardware/count.c. */

#ifndef UNO_COUNT_H
#define UNO_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/* The number of the system call by which a thread asks for its count. Linux has no such call; the plugin,
 * which sees it first, writes the count where the call's argument points. */
enum { UNO_COUNT_CALL = 0x556e6f };

/* Store the number of instructions that this thread has executed in user mode, the one included by which it
 * asks. Differences of two counts are exact; what the call itself takes is the difference of two calls in a
 * row. An instruction of x86 that repeats (rep) counts once more than it repeats. Returns false at once, and
 * stores nothing, where nobody counts; then it asks only once for each thread. */
bool uno_count(uint64_t *instructions);

#endif

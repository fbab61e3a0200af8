/* The start of the PEs of a side that has no launcher of its own. */

#ifndef BENCH_START_H
#define BENCH_START_H

#include <stdbool.h>

/* Call body(me, n) in n processes, or threads of this one, and wait for all. Returns 0, or 1 after a message
 * or if one of them failed. */
int bench_start(int n, bool threads, int (*body)(int me, int n));

#endif

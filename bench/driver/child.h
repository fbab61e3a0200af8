/* unisono bench: a process that it starts. */

#ifndef BENCH_DRIVER_CHILD_H
#define BENCH_DRIVER_CHILD_H

#include <sys/types.h>

/* In the child that `driver` has forked: become this program, without an input, whose output and errors go to
 * these files, and which ends with the driver. */
_Noreturn void bench_become(char *const argv[], pid_t driver, int output, int errors);

#endif

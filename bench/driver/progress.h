/* unisono bench: how far a measurement is. */

#ifndef BENCH_DRIVER_PROGRESS_H
#define BENCH_DRIVER_PROGRESS_H

/* Draw a bar, with what is being measured behind it, if standard error is a terminal. done == total: remove
 * it. */
void bench_progress(int done, int total, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif

/* The programs that `unisono bench mesh` measures. Each does something so many times, of a size, and checks
 * its results; one PE prints what came out, which is the same for any number of PEs and either kind of
 * messages. They return false if a result is wrong. */

#ifndef BENCH_TRIALS_H
#define BENCH_TRIALS_H

#include <stdbool.h>

/* PE 0 and PE 1 send each other messages of so many words in turn, there and back. */
bool trial_latency(int words, int times);

/* Sweeps of Jacobi's method over a square of so many rows and columns, of which each PE has rows. Before a
 * sweep it exchanges its outer ones with its neighbours. */
bool trial_jacobi(int edge, int times);

/* Products of square matrices of so many rows, from PE 0 and back to it. */
bool trial_product(int edge, int times);

/* Areas below a parabola by so many trapezoids: PE 0 tells each other PE where the area ends, and adds up
 * what they send. */
bool trial_trapezoid(int count, int times);

/* Pi, as an integral by so many intervals or a few more, which PE 0 broadcasts. */
bool trial_pi(int count, int times);

#endif

/* Threads and signal handlers that could still call the library where a PE waits, but may not: another thread
 * of its process, or the handler of a signal. */

#ifndef UNO_OUTSIDERS_H
#define UNO_OUTSIDERS_H

#include "run.h"

/* Write a line for each PE whose process has other threads, and one for each that handles signals in which
 * programs do work: their calls do not count when a deadlock is reported. */
void uno_outsiders(FILE *f, const struct uno_run *run);

#endif

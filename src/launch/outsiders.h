/* Who could still call the library where a PE waits, but may not: another thread of its process, or the
 * handler of a signal. */

#ifndef UNO_OUTSIDERS_H
#define UNO_OUTSIDERS_H

#include "run.h"

/* Write a line for each PE whose process has other threads, and one for each that handles signals by which
 * programs do work: what these would have called does not count when a job is found to be over. */
void uno_outsiders(FILE *f, const struct uno_run *run);

#endif

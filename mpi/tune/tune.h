/* The program that measures the crossovers, in a module for each kind of MPI library. */

#ifndef UNO_TUNE_H
#define UNO_TUNE_H

#include <stdbool.h>

enum { UNO_TUNE_GREATEST = 4 << 20 }; /* bytes of the largest collective that is measured */

/* Go through all collectives and sizes, each by both ways in turns; rank 0 writes a line into the file for
 * each: operation, bytes, seconds by the accelerator, seconds by the MPI library. once: do not measure; the
 * profile then shows which operations the accelerator does not take over. Returns the exit status. */
int uno_tune(const char *file, bool once);

#endif

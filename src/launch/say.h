/* A line of the launcher's own on standard error, between those of the PEs. */

#ifndef UNO_SAY_H
#define UNO_SAY_H

#include "output.h"

/* "unisono run: ", and this. */
void uno_say(struct uno_output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Report sinks that could not be written. failed: a PE has, whose own line tells that a reader went away.
 * Sets *status if that is 0. */
void uno_say_sinks(struct uno_output *output, bool failed, int *status);

#endif

/* How long a loop takes that all PEs run. */

#ifndef UNO_MODEL_LEAST_H
#define UNO_MODEL_LEAST_H

/* The least time in ns that it takes the slowest PE, of so many repetitions. Every PE calls, and all begin
 * together each time. */
double uno_model_least(void (*loop)(void *), void *argument, int repetitions);

#endif

/* The time of a loop that all PEs run. */

#ifndef UNO_MODEL_LEAST_H
#define UNO_MODEL_LEAST_H

/* Return the least time in ns of so many repetitions, each as the slowest PE takes it. Every PE calls this,
 * and all begin together each time. */
double uno_model_least(void (*loop)(void *), void *argument, int repetitions);

#endif

/* How a PE ends when something went wrong. Every message is one line on standard error, in one write:
 * "unisono: PE 3: ...". */

#ifndef UNO_FAULT_H
#define UNO_FAULT_H

#include "pe.h"

/* Report an error of this PE and end the job with exit status 1. */
void uno_fail(struct uno_pe *pe, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* End with a message if the job has failed. k: the PE that this one waits for; negative: any. */
void uno_fault_check(struct uno_pe *pe, int k, unsigned signature);

#endif

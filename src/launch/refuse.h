/* Messages about a job that does not begin. */

#ifndef UNO_REFUSE_H
#define UNO_REFUSE_H

#include "request.h"

/* Write one line about an error before the job began. Returns status. */
int uno_refuse(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Report why the program of PE k could not be started: `error` in the step `what`, of uno_spawn. Returns the
 * exit status. */
int uno_refuse_program(const struct uno_part *part, int k, const char *what, int error);

#endif

/* Signals for all PEs of a job. */

#ifndef UNO_SEND_H
#define UNO_SEND_H

#include "engine/job.h"

/* Send a signal to PE k, whose process, or wrapper, is `child`: to that and, if a wrapper stands between, to
 * the one that checked in. child 0: it has ended. */
void uno_send(const struct uno_job *job, int k, pid_t child, int signal_number);

#endif

/* Signals for all PEs of a job. */

#ifndef UNO_SEND_H
#define UNO_SEND_H

#include "engine/job.h"

/* Return the number of PE k's processes, as far as there are: the one started for it, which may be a wrapper,
 * and the one that checked in, if that is another. child: the first; 0: it has ended. */
enum { UNO_PE_PROCESSES = 2 };
int uno_processes(const struct uno_job *job, int k, pid_t child, pid_t process[UNO_PE_PROCESSES]);

/* Send a signal to all of them. */
void uno_send(const struct uno_job *job, int k, pid_t child, int signal_number);

#endif

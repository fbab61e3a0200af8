#include "send.h"

#include <signal.h>
#include <unistd.h>

#include "engine/process.h"

int uno_processes(const struct uno_job *job, int k, pid_t child, pid_t process[UNO_PE_PROCESSES]) {
    if (!child)
        return 0;
    process[0] = child;
    /* SYNC JOINED: pid */
    bool joined = uno_load32_acquire(&job->board[k].state) == UNO_JOINED;
    process[1] = joined ? job->board[k].pid : 0;
    return 1 + (process[1] > 0 && process[1] != child && uno_process_below(process[1], getpid()));
}

void uno_send(const struct uno_job *job, int k, pid_t child, int signal_number) {
    pid_t process[UNO_PE_PROCESSES];
    for (int i = uno_processes(job, k, child, process); i-- > 0;)
        kill(process[i], signal_number);
}

#include "send.h"

#include <signal.h>
#include <unistd.h>

#include "engine/process.h"

void uno_send(const struct uno_job *job, int k, pid_t child, int signal_number) {
    if (!child)
        return;
    kill(child, signal_number);
    /* SYNC JOINED: pid */
    bool joined = uno_load32_acquire(&job->board[k].state) == UNO_JOINED;
    pid_t pid = joined ? job->board[k].pid : 0;
    if (pid > 0 && pid != child && uno_process_below(pid, getpid()))
        kill(pid, signal_number);
}

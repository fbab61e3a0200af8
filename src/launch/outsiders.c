#define _GNU_SOURCE
#include "outsiders.h"

#include <signal.h>
#include <string.h>

#include "engine/process.h"
#include "send.h"

/* Handlers of other signals are for the end of a program, its terminal and its children, or the C library's
 * own. */
static const int working[] = {SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO, SIGURG};

static bool is_working(int number) {
    for (size_t i = 0; i < sizeof working / sizeof *working; i++)
        if (number == working[i])
            return true;
    return number >= SIGRTMIN && number <= SIGRTMAX;
}

static void write_handled(FILE *f, int k, uint64_t handled) {
    const char *before = "signals";
    for (int i = 1; i <= SIGRTMAX; i++) {
        if (!(handled >> (i - 1) & 1) || !is_working(i))
            continue;
        if (*before == 's')
            fprintf(f, "  PE %d handles ", k);
        fprintf(f, "%s %d (%s)", before, i, strsignal(i));
        before = ",";
    }
    if (*before == ',')
        fputs(": a handler may call nothing but p_interrupt, and what else it would call does not count\n",
              f);
}

void uno_outsiders(FILE *f, const struct uno_run *run) {
    int own = run->launch->node ? 2 : 1; /* the second one watches the network (engine/far/watcher.h) */
    for (int k = 0; k < run->launch->n; k++) {
        pid_t process[UNO_PE_PROCESSES];
        uint64_t handled;
        int count = uno_processes(run->job, k, run->child[k], process);
        int threads = count ? uno_process_threads(process[count - 1], &handled) : 0;
        if (threads > own)
            fprintf(f,
                    "  PE %d has %d threads: only the one that has checked in may call, and what another one "
                    "would call does not count\n",
                    k, threads - own + 1);
        if (threads)
            write_handled(f, k, handled);
    }
}

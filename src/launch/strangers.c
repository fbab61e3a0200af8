#include "strangers.h"

#include <stdlib.h>
#include <sys/wait.h>

#include "engine/kernel.h"
#include "foreign.h"
#include "leftover.h"
#include "node.h"
#include "say.h"

/* Time before the first search for another MPI library: less than a program takes that uses one. */
static const uint64_t SEARCH_NS = UINT64_C(20000000);

int uno_strangers_pes(const struct uno_run *run) {
    int pes = 0;
    for (int k = 0; k < run->launch->n; k++)
        pes += uno_load32_relaxed(&run->job->board[k].claimed) != 0;
    return pes;
}

void uno_strangers_search(struct uno_run *run) {
    int k = 0;
    while (k < run->launch->n - 1 && !run->child[k])
        k++;
    run->search_step = run->search_step ? 2 * run->search_step : SEARCH_NS;
    run->search = uno_kernel_now() + run->search_step;
    if (uno_strangers_pes(run) ||
        (run->child[k] && uno_foreign_look(run->child[k], run->launch->mpi, &run->foreign)))
        run->search = 0;
}

void uno_strangers_left(struct uno_run *run) {
    int k;
    if (run->phase != UNO_RUNS || waitpid(-1, NULL, WNOHANG) < 0)
        return;
    pid_t left = uno_leftover(&run->spawn, run->ended_open, &k);
    if (!left)
        return;
    uno_say(
        &run->output,
        "process %d went on in the place of PE %d, which had ended without p_exit or MPI_Finalize: it was "
        "ended, too, for a PE is one process",
        (int)left, k);
    run->status = EXIT_FAILURE;
}

void uno_strangers_tell(struct uno_run *run) {
    const struct uno_foreign *foreign = &run->foreign;
    char path[PATH_MAX];
    int n = uno_node_pes(run->launch);
    if (run->launch->n == 1 || run->phase != UNO_RUNS || run->status || uno_strangers_pes(run))
        return;
    if (!foreign->process && run->launch->node)
        return; /* those of other nodes may have */
    if (!foreign->process) {
        uno_say(&run->output, "none of the %d processes has checked in: each has run by itself", n);
        return;
    }
    const char *own = uno_foreign_own(foreign, run->launch->mpi, path);
    uno_say(&run->output,
            "none of the %d processes has checked in, and process %d had loaded another MPI library, %s: "
            "each was a job of one rank%s%s%s",
            n, (int)foreign->process, foreign->library, own ? "; `env LD_PRELOAD=" : "", own ? own : "",
            own ? "` before the program puts Unisono's in its place" : "");
    run->status = EXIT_FAILURE;
}

#include "ends.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "engine/observe.h"
#include "engine/process.h"
#include "exit.h"
#include "far.h"
#include "node.h"
#include "phase.h"
#include "say.h"
#include "unit/unit.h"

/* If the system does not tell how a PE below a wrapper ended, the wrapper may, by its own exit status. */
static const uint64_t EXPLANATION = 200 * 1000 * 1000;

int uno_end_status(int result) {
    return WIFSIGNALED(result) ? UNO_EXIT_SIGNAL + WTERMSIG(result) : WEXITSTATUS(result);
}

void uno_end_text(int k, const char *host, int result, char text[UNO_FAULT_TEXT]) {
    int length = snprintf(text, UNO_FAULT_TEXT, "PE %d%s%s ", k, host ? " on " : "", host ? host : "");
    if (WIFSIGNALED(result))
        snprintf(text + length, UNO_FAULT_TEXT - (size_t)length, "was killed by signal %d (%s)",
                 WTERMSIG(result), strsignal(WTERMSIG(result)));
    else
        snprintf(text + length, UNO_FAULT_TEXT - (size_t)length, "ended with exit status %d",
                 WEXITSTATUS(result));
}

/* PE k has ended so, or a wrapper has on its behalf. The first failure counts: the wrapper's follows from its
 * PE's. */
static void ended(struct uno_run *run, int k, int result) {
    int status = run->result[k] ? 0 : uno_end_status(result);
    char text[UNO_FAULT_TEXT];
    uno_end_text(k, uno_node_host(run->launch, k), result, text);
    if (status) {
        run->result[k] = result;
        uno_job_set_fault(run->job, k, text, 0);
    }
    uno_job_finish_fault(run->job, k, text);
    if (run->launch->node && uno_node_has(run->launch, k)) {
        uno_far_look(run); /* the cause first */
        run->launch->node->ended(run->launch->node, k, result, status && run->phase < UNO_TERMINATED);
    }
    /* what the launcher did itself does not count */
    if (status && run->phase < UNO_TERMINATED) {
        if (run->failed < 0)
            run->failed = k;
        if (status > run->status)
            run->status = status;
        if (run->phase == UNO_RUNS)
            uno_phase_enter(run, UNO_GRACE, 0, UNO_GRACE_NS);
    }
    run->ended_open[k] |= !result && uno_load32_relaxed(&run->job->board[k].state) == UNO_JOINED;
    /* SYNC LEFT: every post of this PE, and the fault */
    uno_store32_release(&run->job->board[k].state, UNO_LEFT);
}

void uno_ends_far(struct uno_run *run, int k, int result) {
    if (k >= 0 && k < run->launch->n && !uno_node_has(run->launch, k))
        ended(run, k, result);
}

void uno_ends_node(struct uno_run *run, int node, const char *text) {
    int first = -1;
    for (int k = run->launch->n - 1; k >= 0; k--)
        if (run->launch->node->seat[k] == node)
            first = k;
    if (first < 0 || node == run->launch->node->here)
        return;
    run->fault_told = true;
    uno_job_set_fault(run->job, first, text, 0);
    for (int k = first; k < run->launch->n; k++)
        if (run->launch->node->seat[k] == node) /* SYNC LEFT: the fault */
            uno_store32_release(&run->job->board[k].state, UNO_LEFT);
    if (run->phase == UNO_RUNS)
        uno_phase_enter(run, UNO_GRACE, 0, UNO_GRACE_NS);
}

/* The process of PE k has. */
static void close_record(struct uno_run *run, int k) {
    if (!run->made->observe)
        return;
    uno_job_restore(run->job, run->made);
    uno_record_close(run->job, k, uno_kernel_now());
}

static bool has_left(const struct uno_run *run, int k) {
    /* SYNC LEFT: that its end is no failure */
    return uno_load32_acquire(&run->job->board[k].state) == UNO_LEFT;
}

/* The process that was started for PE k has ended, or the PE that it had left. */
static void lose(struct uno_run *run, int k) {
    run->child[k] = 0;
    run->alive--;
}

void uno_ends_look(struct uno_run *run) {
    int result;
    for (int k; (k = uno_wrapped_next(&run->wrapped, &result)) >= 0;) {
        close_record(run, k);
        if (run->child[k] == run->wrapped.pe[k].pid)
            lose(run, k);
        if (has_left(run, k))
            continue;
        if (result >= 0)
            ended(run, k, result);
        else
            run->unexplained = uno_kernel_now() + EXPLANATION;
    }
}

void uno_ends_unexplained(struct uno_run *run) {
    run->unexplained = 0;
    for (int k = 0; k < run->launch->n; k++)
        if (run->wrapped.pe[k].lost && !has_left(run, k))
            ended(run, k, 0);
}

void uno_ends_checked_in(struct uno_run *run, int k, pid_t pid) {
    if (k < 0 || k >= run->launch->n || !run->child[k] || run->child[k] == pid)
        return;
    if (!uno_wrapped_add(&run->wrapped, k, pid))
        run->unexplained = uno_kernel_now() + EXPLANATION;
    uno_store32_relaxed(&run->job->board[k].watched, 1);
}

/* The wrapper of PE k has dealt with its PE's failure, and ended well: that counts. The PEs that wait for PE
 * k are told of the failure all the same. */
void uno_ends_forgive(struct uno_run *run, int k) {
    if (run->launch->node && uno_node_has(run->launch, k))
        run->launch->node->forgiven(run->launch->node, k);
    run->result[k] = 0;
    run->status = 0;
    run->failed = -1;
    for (int m = run->launch->n - 1; m >= 0; m--)
        if (run->result[m]) {
            run->failed = m;
            if (uno_end_status(run->result[m]) > run->status)
                run->status = uno_end_status(run->result[m]);
        }
    if (run->failed < 0 && run->phase == UNO_GRACE)
        uno_phase_enter(run, UNO_RUNS, 0, 0);
}

/* The simulated unit has ended: well when all PEs have left, or one has failed. */
static void unplugged(struct uno_run *run, int result) {
    run->hardware = 0;
    if (!result || run->phase != UNO_RUNS)
        return;
    if (WIFSIGNALED(result))
        uno_say(&run->output, "the simulated %s was killed by signal %d (%s)", run->launch->unit->name,
                WTERMSIG(result), strsignal(WTERMSIG(result)));
    else
        uno_say(&run->output, "the simulated %s has ended", run->launch->unit->name);
    if (!run->status)
        run->status = EXIT_FAILURE;
    uno_phase_enter(run, UNO_TERMINATED, SIGTERM, UNO_TERMINATION_NS);
}

/* The process that has checked in as PE k below a wrapper, and lives; 0: there is none. Its signal may come
 * only after the end of its wrapper. */
static pid_t wrapped_pe(struct uno_run *run, int k) {
    pid_t pid = (pid_t)uno_load32_relaxed(&run->job->board[k].claimed);
    if (!uno_wrapped_process(&run->wrapped, k) && !has_left(run, k) && pid > 0 && pid != run->child[k] &&
        uno_process_below(pid, getpid()) && uno_wrapped_add(&run->wrapped, k, pid))
        uno_store32_relaxed(&run->job->board[k].watched, 1);
    return uno_wrapped_process(&run->wrapped, k);
}

/* The wrapper of PE k has ended so, but not its PE. If that was well, it has done its part, say put a program
 * into the background, and the PE is waited for in its stead. Whether it is. */
static bool inherit(struct uno_run *run, int k, int result) {
    if (uno_wrapped_process(&run->wrapped, k) != run->child[k])
        uno_ends_look(run); /* it may have ended since the last look, and before its wrapper */
    pid_t pe = wrapped_pe(run, k);
    if (!pe || pe == run->child[k])
        return false;
    if (result)
        uno_wrapped_kill(&run->wrapped, k);
    else
        run->child[k] = pe;
    return !result;
}

void uno_ends_reap(struct uno_run *run) {
    uno_ends_look(run); /* before their wrappers, which end since they have */
    int result;
    for (pid_t pid; (pid = waitpid(-1, &result, WNOHANG)) > 0;) {
        if (pid == run->hardware)
            unplugged(run, result);
        for (int k = 0; k < run->launch->n; k++)
            if (run->child[k] == pid) {
                if (inherit(run, k, result))
                    break;
                lose(run, k);
                if (run->job->board[k].pid == pid) /* the processes of a wrapper may live on */
                    close_record(run, k);
                if (run->result[k] && !result && run->phase < UNO_TERMINATED)
                    uno_ends_forgive(run, k);
                ended(run, k, result);
                break;
            }
    }
}

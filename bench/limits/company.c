#define _GNU_SOURCE
#include "company.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/failure.h"
#include "launch/descendants.h"
#include "driver/measure.h"
#include "driver/sides.h"

enum { ROUNDS = 50, MAX_JOBS = 2, MAX_SPINNERS = 256 };

static const char SECTION[] = "In company and confined: times slower than undisturbed";

/* The measurement of a child, in memory shared with it. */
struct outcome {
    bool complete;
    double mean; /* ns of one operation, over the whole time */
};

/* ---- confinement ------------------------------------------------------------------------------------- */

static bool one_processor(void) {
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed))
        return false;
    CPU_ZERO(&one);
    for (int k = 0; k < CPU_SETSIZE && CPU_COUNT(&one) == 0; k++)
        if (CPU_ISSET(k, &allowed))
            CPU_SET(k, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

static bool write_file(const char *folder, const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool good = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return good;
}

static char quota_folder[200];

/* Make a group with a quota of 1.5 processors below the root of version 2 or 1. Return true if it exists
 * now. */
static bool make_quota(void) {
    static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/cpu"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(quota_folder, sizeof quota_folder, "%s/unisono-bench-%d", roots[i], (int)getpid());
        if (mkdir(quota_folder, 0700))
            continue;
        if (write_file(quota_folder, "cpu.max", "150000 100000") ||
            (write_file(quota_folder, "cpu.cfs_period_us", "100000") &&
             write_file(quota_folder, "cpu.cfs_quota_us", "150000")))
            return true;
        rmdir(quota_folder);
    }
    return false;
}

static bool enter_quota(void) {
    return write_file(quota_folder, "cgroup.procs", "0");
}

/* ---- jobs -------------------------------------------------------------------------------------------- */

static void run_job(int n, double seconds, bool (*confine)(void), struct outcome *outcome) {
    static struct bench b;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (confine && !confine())
        _exit(1);
    b.options = (struct bench_options){
        .counts = {n}, .count_count = 1, .seconds = seconds, .rounds = ROUNDS, .peers = "none"};
    b.cell[b.cells++].op = BENCH_OP_wait;
    b.quiet = true;
    bench_fail_quietly();
    bench_sides_find(&b);
    b.sides = 1;
    bench_measure(&b);
    outcome->mean = bench_figures(&b, 0, 0, 0)->mean;
    outcome->complete = true;
    _exit(0);
}

static pid_t start_job(int n, double seconds, bool (*confine)(void), struct outcome *outcome) {
    outcome->complete = false;
    pid_t pid = fork();
    if (pid == 0)
        run_job(n, seconds, confine, outcome);
    return pid;
}

/* Return the time of one operation in so many equal jobs at once, the greatest of theirs; below 0: one did
 * not complete. */
static double run_jobs(int jobs, int n, double seconds, bool (*confine)(void)) {
    struct outcome *outcome =
        mmap(NULL, MAX_JOBS * sizeof *outcome, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t pid[MAX_JOBS];
    double greatest = -1;
    if (outcome == MAP_FAILED)
        return -1;
    for (int i = 0; i < jobs; i++)
        pid[i] = start_job(n, seconds, confine, &outcome[i]);
    bool complete = true;
    for (int i = 0; i < jobs; i++) {
        while (pid[i] > 0 && waitpid(pid[i], NULL, 0) < 0 && errno == EINTR && !bench_interrupted)
            ;
        complete &= outcome[i].complete;
        greatest = outcome[i].mean > greatest ? outcome[i].mean : greatest;
    }
    munmap(outcome, MAX_JOBS * sizeof *outcome);
    return complete ? greatest : -1;
}

/* ---- company ----------------------------------------------------------------------------------------- */

/* Start a busy loop on each processor. Returns how many. */
static int start_spinners(pid_t pid[MAX_SPINNERS]) {
    cpu_set_t allowed, one;
    int count = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed))
        return 0;
    for (int k = 0; k < CPU_SETSIZE && count < MAX_SPINNERS; k++) {
        if (!CPU_ISSET(k, &allowed))
            continue;
        pid[count] = fork();
        if (pid[count] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            CPU_ZERO(&one);
            CPU_SET(k, &one);
            sched_setaffinity(0, sizeof one, &one);
            for (volatile unsigned long spins = 0;; spins++)
                ;
        }
        count += pid[count] > 0;
    }
    return count;
}

static void end_spinners(const pid_t *pid, int count) {
    for (int k = 0; k < count; k++) {
        kill(pid[k], SIGKILL);
        waitpid(pid[k], NULL, 0);
    }
}

/* ---- the scenarios ----------------------------------------------------------------------------------- */

/* With a fair share of the processors a job would be slower by `share`; the goal is twice that. */
static const struct scenario {
    const char *goal;
    double share;
    int n, jobs;
    bool spinners, quota;
    bool (*confine)(void);
} scenarios[] = {
    {.goal = "two jobs of 2 PEs at once", .share = 2, .n = 2, .jobs = 2},
    {.goal = "two jobs of 4 PEs at once", .share = 2, .n = 4, .jobs = 2},
    {.goal = "2 PEs beside a busy loop on every processor", .share = 2, .n = 2, .jobs = 1, .spinners = true},
    {.goal = "4 PEs beside a busy loop on every processor", .share = 2, .n = 4, .jobs = 1, .spinners = true},
    {.goal = "8 PEs on a mask of one processor", .share = 2, .n = 8, .jobs = 1, .confine = one_processor},
    {.goal = "4 PEs with a quota of 1.5 processors",
     .share = 2 / 1.5,
     .n = 4,
     .jobs = 1,
     .quota = true,
     .confine = enter_quota},
};

static void measure(struct limits *l, const struct scenario *s, double seconds) {
    pid_t spinner[MAX_SPINNERS];
    bool possible = !s->quota || make_quota();
    double alone = possible ? run_jobs(1, s->n, seconds / 2, NULL) : -1;
    int spinners = s->spinners ? start_spinners(spinner) : 0;
    double disturbed = possible ? run_jobs(s->jobs, s->n, seconds / 2, s->confine) : -1;
    end_spinners(spinner, spinners);
    if (bench_interrupted)
        uno_kill_descendants(); /* the jobs, too: the control group must be empty to go */
    if (s->quota && possible)
        rmdir(quota_folder);
    bool complete = alone > 0 && disturbed > 0;
    struct limit *row = limit_add(l, SECTION, AT_MOST, 2 * s->share, "times",
                                  complete ? disturbed / alone : -1, "%s", s->goal);
    if (complete)
        limit_note(row, "%.3g us, undisturbed %.3g us", disturbed / 1000, alone / 1000);
    else
        limit_note(row, possible ? "it did not complete" : "no control group can be made here");
}

void company_measure(struct limits *l, double seconds) {
    enum { COUNT = sizeof scenarios / sizeof *scenarios };
    for (int i = 0; i < COUNT; i++) {
        measure(l, &scenarios[i], seconds / COUNT);
        if (bench_interrupted)
            bench_fail("interrupted");
    }
}

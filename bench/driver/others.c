#define _GNU_SOURCE
#include "others.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/processors.h"
#include "figures.h"
#include "seconds.h"

/* Return the seconds that processes have used of the processors that this one may use, or of which another
 * machine on the same hardware has kept them; below 0: the system does not tell. */
static double used_by_all(void) {
    FILE *file = fopen("/proc/stat", "re");
    cpu_set_t usable;
    char line[512];
    double ticks = 0;
    if (!file || sched_getaffinity(0, sizeof usable, &usable)) {
        if (file)
            fclose(file);
        return -1;
    }
    while (fgets(line, sizeof line, file)) {
        unsigned processor;
        double user, nice, system, stolen;
        if (sscanf(line, "cpu%u %lf %lf %lf %*s %*s %*s %*s %lf", &processor, &user, &nice, &system,
                   &stolen) == 5 &&
            processor < CPU_SETSIZE && CPU_ISSET(processor, &usable))
            ticks += user + nice + system + stolen;
    }
    fclose(file);
    return ticks / (double)sysconf(_SC_CLK_TCK);
}

static double used_by(pid_t pid) {
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
        return 0; /* it has ended */
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct bench_moment bench_moment(const struct bench *b) {
    struct bench_moment moment = {.now = seconds_now(), .all = used_by_all(), .own = used_by(getpid())};
    for (int s = 0; s < b->sides; s++) {
        const struct side *side = &b->side[s];
        if (side->launcher)
            moment.own += used_by(side->launcher);
        for (int k = 0; side->launcher && k < side->n; k++)
            if (side->pid[k] != side->launcher && (k == 0 || side->pid[k] != side->pid[0]))
                moment.own += used_by(side->pid[k]); /* PEs that are threads have one process */
    }
    return moment;
}

double bench_others(const struct bench *b, const struct bench_moment *since) {
    struct bench_moment until = bench_moment(b);
    double used = until.all - since->all - (until.own - since->own), seconds = until.now - since->now;
    return since->all < 0 || until.all < 0 || used < 0 || seconds <= 0 ? 0 : used / seconds;
}

void bench_warn(const struct bench *b, int count, const char *more) {
    int n = b->options.counts[count];
    if (bench_is_busy(b, count))
        printf(
            "Warning: other programs used %.1f of the %d processors while %d PE%s measured.%s Measure again "
            "when nothing else is at work.\n",
            b->others[count], uno_processors(), n, n == 1 ? " was" : "s were", more);
}

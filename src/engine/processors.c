#define _GNU_SOURCE
#include "processors.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>

#include "cgroup.h"

/* Read one quota file of cgroup version 2, "max 100000" or "150000 100000"; or the two of version 1. */
static double quota_at(const char *folder) {
    char path[PATH_MAX + 32];
    double quota = 0, period = 0;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    FILE *f = fopen(path, "r");
    if (f) {
        if (fscanf(f, "%lf %lf", &quota, &period) != 2)
            quota = 0;
        fclose(f);
        return quota > 0 && period > 0 ? quota / period : 0;
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!(f = fopen(path, "r")))
        return 0;
    if (fscanf(f, "%lf", &quota) != 1)
        quota = 0;
    fclose(f);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    if (!(f = fopen(path, "r")))
        return 0;
    if (fscanf(f, "%lf", &period) != 1)
        period = 0;
    fclose(f);
    return quota > 0 && period > 0 ? quota / period : 0;
}

static void lessen(const char *folder, void *least) {
    double quota = quota_at(folder), *so_far = least;
    if (quota > 0 && (*so_far == 0 || quota < *so_far))
        *so_far = quota;
}

double uno_processor_quota(void) {
    double least = 0;
    uno_cgroup_each("cpu", lessen, &least);
    return least;
}

int uno_processors(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    double quota = uno_processor_quota();
    if (quota > 0 && quota < count)
        count = quota < 1 ? 1 : (int)quota;
    return count;
}

int uno_processors_usable(uint32_t *processor, int most) {
    cpu_set_t all;
    int count = 0;
    if (sched_getaffinity(0, sizeof all, &all))
        return 0;
    for (uint32_t p = 0; p < CPU_SETSIZE && count < most; p++)
        if (CPU_ISSET(p, &all))
            processor[count++] = p;
    return count;
}

void uno_processor_go(uint32_t processor) {
    cpu_set_t all, one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    if (sched_getaffinity(0, sizeof all, &all) == 0 && sched_setaffinity(0, sizeof one, &one) == 0)
        sched_setaffinity(0, sizeof all, &all);
}

void uno_processor_deal(int k) {
    uint32_t processor[UNO_PROCESSORS];
    int count = uno_processors_usable(processor, UNO_PROCESSORS);
    if (count)
        uno_processor_go(processor[k % count]);
}

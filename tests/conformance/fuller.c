/* A PE that finds more than its share of PEs on its processor does not go to one that has more of them,
 * whatever their numbers. The job is a piece of memory here, in which this process says where its PEs are:
 * they are so many that strangers do not matter. */

#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernel.h"
#include "engine/processors.h"
#include "engine/spread.h"
#include "engine/start.h"

enum { PES = 500, HERE = 2, ROUNDS = 20, PASSED = 0, FAILED = 1, SKIPPED = 77 };

static struct uno_pe *pe;

/* Keep to the first two processors that this process may use, which are `two`. */
static bool keep_to_two(uint32_t two[2]) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (uno_processors_usable(two, 2) != 2)
        return false;
    CPU_SET(two[0], &set);
    CPU_SET(two[1], &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

/* Let the first `here_are` PEs be on this processor, and the others on the only other one. The last of those
 * here, which is due to look, looks. Return true if it then is on the other one. */
static bool goes(const uint32_t two[2], int here_are) {
    uint32_t here = uno_kernel_processor(), other = two[two[0] == here];
    for (int k = 0; k < PES; k++)
        uno_store32_relaxed(&pe->processor[k], k < here_are ? here : other);
    pe->me = here_are - 1;
    pe->spread = 0;
    uno_spread(pe, here);
    return uno_load32_relaxed(&pe->processor[pe->me]) == other;
}

static int count(const uint32_t two[2], int here_are) {
    int gone = 0;
    for (int i = 0; i < ROUNDS; i++)
        gone += goes(two, here_are);
    return gone;
}

int main(void) {
    uint32_t two[2];
    struct uno_job *job = aligned_alloc(4096, (uno_job_size(PES, 0) + 4095) / 4096 * 4096);
    if (!keep_to_two(two)) {
        printf("skipped: this needs two processors, and leave to choose them\n");
        return SKIPPED;
    }
    if (uno_kernel_running() > PES) {
        printf("skipped: more than %d programs run\n", PES);
        return SKIPPED;
    }
    if (!job)
        return FAILED;
    memset(job, 0, uno_job_size(PES, 0));
    uno_job_format(job, PES, PES, 0); /* the share of a processor is one PE */
    if (!(pe = uno_pe_start_here(job, 0)))
        return FAILED;
    int to_fewer = count(two, PES - HERE), to_more = count(two, HERE);
    printf("fuller: a PE went to a processor with fewer PEs %d times of %d, with more %d times\n", to_fewer,
           ROUNDS, to_more);
    return to_fewer == ROUNDS && !to_more ? PASSED : FAILED;
}

#include "accelerator/host/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelerator/host/host.h"
#include "collective/base.h"
#include "collective/lane.h"
#include "engine/kernel.h"
#include "engine/tuning.h"

enum { SAMPLES = 16 };

/* The state of this process. `alone` is a communicator that nobody else uses: a probe for its messages lets
 * the host make progress. It is a copy of MPI_COMM_WORLD, since for one of this process alone MPICH only
 * looks into a list. */
static MPI_Comm alone;
static uint64_t interval; /* ns between two polls; set once */
/* times of the last ones; written by every thread that waits, and only to delay the next */
static uno_atomic64 polled, looked;

/* Let the host make progress. Returns the time that it took, in ns. */
static uint64_t poll(void) {
    int flag;
    uint64_t began = uno_kernel_now();
    HOST(Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, alone, &flag, MPI_STATUS_IGNORE);
    return uno_kernel_now() - began;
}

/* Return true if the process has ended, even if its parent has not asked yet how. */
static bool has_ended(int pid) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return true;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    /* "PID (name) state ...", where the name may contain anything */
    const char *name_end = strrchr(text, ')');
    return name_end && strchr("ZX", name_end[2]);
}

/* Fail if the rank that is waited for no longer lives. */
static void look(struct uno_pe *pe) {
    int k = pe->board->awaited, pid = uno_lane_pid(k);
    /* SYNC LEFT: every post of the PE that left */
    if (k != pe->me && pid && uno_load32_acquire(&pe->job->board[k].state) != UNO_LEFT && has_ended(pid))
        uno_base_fail("rank %d (process %d), for which it waits, has ended", k, pid);
}

/* Let the host make progress, unless it just has. Return true if it has moved data. */
static bool poll_in_time(uint64_t now) {
    if (now - uno_load64_relaxed(&polled) < interval)
        return false;
    uno_store64_relaxed(&polled, now);
    return poll() >= UNO_HOST_WORKED_NS;
}

void uno_progress_poll(void) {
    poll_in_time(uno_kernel_now());
}

bool uno_progress_wait(struct uno_pe *pe) {
    uint64_t now = uno_kernel_now();
    bool worked = poll_in_time(now);
    if (now - uno_load64_relaxed(&looked) >= UNO_ALIVE_NS) {
        uno_store64_relaxed(&looked, now);
        look(pe);
    }
    return worked;
}

void uno_progress_start(void) {
    HOST(Comm_dup)(MPI_COMM_WORLD, &alone);
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t ns = poll();
        least = ns < least ? ns : least;
    }
    interval = least * UNO_HOST_SHARE > UNO_HOST_LEAST_NS ? least * UNO_HOST_SHARE : UNO_HOST_LEAST_NS;
    uno_store64_relaxed(&looked, uno_kernel_now());
}

void uno_progress_end(void) {
    HOST(Comm_free)(&alone);
}

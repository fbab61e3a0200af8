#include "library/rank/threads.h"

#include <sys/stat.h>

#include "engine/shifts.h"

static struct uno_shifts shifts;
static uno_atomic32 is_open;
static struct uno_rank *shared;

/* The PE that this thread was before the call. */
static _Thread_local struct uno_pe *before;

/* None can come as long as the process has one thread, and none will in a program of Python's that has one:
 * others, such as those of a library for linear algebra, do not call MPI on their own. */
static bool others_may_come(void) {
    struct stat tasks;
    if (!shared || (shared->python && uno_cpython_here_alone(shared->python)))
        return false; /* in MPI_Finalize none comes any more */
    /* a folder has two names of its own, and one for each in it */
    return stat("/proc/self/task", &tasks) || tasks.st_nlink != 3;
}

void uno_threads_open(bool multiple) {
    shared = uno_rank;
    uno_shifts_start(&shifts, uno_rank->pe, &uno_rank->channel->moves, others_may_come);
    uno_rank->pe->shifts = multiple ? &shifts : NULL;
    uno_rank = NULL;
    uno_shifts_give(&shifts);
    /* SYNC THREADS: the rank */
    uno_store32_release(&is_open, 1);
}

void uno_threads_close(void) {
    /* SYNC THREADS: not needed here */
    uno_store32_release(&is_open, 0);
    shared = NULL;
}

bool uno_threads_enter(void) {
    /* SYNC THREADS: the rank */
    if (uno_rank || !uno_load32_acquire(&is_open) || uno_self == &uno_pe_forked)
        return false;
    uno_shifts_take(&shifts);
    if (!shared) { /* another thread has finalized meanwhile */
        uno_shifts_give(&shifts);
        return false;
    }
    before = uno_self;
    uno_rank = shared;
    uno_self = shared->pe;
    return true;
}

/* Do what a thread that sleeps would do with what has come meanwhile, for those of its rank and of others
 * that wait for it. */
static void finish(struct uno_channel *channel) {
    while (uno_channel_go_on(channel))
        ;
    if (UNO_UNLIKELY(channel->offered) && channel->pe->shifts && channel->pe->shifts->looker)
        uno_channel_fetch_offered(channel);
}

void uno_threads_leave(void) {
    if (uno_rank) { /* this was not MPI_Finalize */
        finish(uno_rank->channel);
        uno_self = before;
        uno_rank = NULL;
    }
    uno_shifts_give(&shifts);
}

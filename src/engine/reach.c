#define _GNU_SOURCE
#include "reach.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

#include "kernel.h"
#include "mask.h"
#include "tuning.h"

/* ---- what the kernel does ---------------------------------------------------------------------------- */

/* Either takes several calls if it is much, or part of it cannot be reached. */
typedef ssize_t copy(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                     unsigned long theres, unsigned long flags);

/* Return false if not everything could be copied; the copied part is then unknown. */
static bool copy_all(copy *by, int pid, void *here, uint64_t there, size_t bytes) {
    while (bytes) {
        struct iovec own = {here, bytes}, other = {(void *)(uintptr_t)there, bytes};
        ssize_t n = by(pid, &own, 1, &other, 1, 0);
        if (n <= 0)
            return false;
        here = (char *)here + n;
        there += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return true;
}

/* ---- whether it does --------------------------------------------------------------------------------- */

void uno_reach_start(struct uno_pe *pe) {
    /* Hardly any other process has this at the same place. 0: nobody is to try, since valgrind does not see
     * what another process writes, and would call it uninitialised. */
    pe->sample = RUNNING_ON_VALGRIND ? 0 : (uint32_t)(uno_kernel_now() ^ (uint64_t)getpid() << 16);
    pe->board->sample = (uint32_t)pe->sample;
    pe->board->sample_at = (uintptr_t)&pe->sample;
}

/* Return true if the right memory is reached: the PE has published the value of its sample. Otherwise errno
 * is ESRCH if there is no such process. */
static bool try(const struct uno_pe *pe, int k) {
    const struct uno_board *board = &pe->job->board[k];
    uint64_t seen;
    errno = 0;
    return board->sample && copy_all(process_vm_readv, board->pid, &seen, board->sample_at, sizeof seen) &&
           seen == board->sample;
}

/* A PE that has left may have freed its memory, or its process id may be another's by now: then a message to
 * it goes in pieces, and is found not to be read. */
bool uno_reach_allowed(struct uno_pe *pe, int k) {
    struct uno_reach *reach = &pe->reach[k];
    if (uno_job_one_process(pe->job))
        return true;
    /* SYNC JOINED: its process, and the word there. SYNC LEFT: that it reads nothing more */
    if (uno_load32_acquire(&pe->job->board[k].state) != UNO_JOINED)
        return false;
    if (reach->state == UNO_REACH_UNTRIED) {
        reach->seen = uno_kernel_now();
        reach->state = try(pe, k) ? UNO_REACH_ALLOWED : errno == ESRCH ? UNO_REACH_GONE : UNO_REACH_REFUSED;
    }
    return reach->state == UNO_REACH_ALLOWED;
}

bool uno_reach_group(const struct uno_pe *pe) {
    UNO_FOR_EACH_PE (k, pe->group.mask, pe->job->words)
        if (pe->reach[k].state >= UNO_REACH_REFUSED)
            return false;
    return true;
}

bool uno_reach_gone(const struct uno_pe *pe, int k) {
    return pe->reach[k].state == UNO_REACH_GONE;
}

/* Return true if the process id is still that of PE k: it may be another's as soon as its process has been
 * reaped, which for the child of a shell or of a launcher is before anyone here knows. Ids are given in turn,
 * so that one of lately is none that comes round. */
static bool still_there(struct uno_pe *pe, int k) {
    uint64_t now = uno_kernel_now();
    if (now - pe->reach[k].seen < UNO_PID_NS)
        return true;
    pe->reach[k].seen = now;
    return try(pe, k);
}

/* Copy, if that may be tried; what fails is not tried again. */
static bool copy_by(copy *by, struct uno_pe *pe, int k, void *here, uint64_t there, size_t bytes) {
    if (!uno_reach_allowed(pe, k))
        return false;
    bool is_there = still_there(pe, k);
    if (is_there && copy_all(by, pe->job->board[k].pid, here, there, bytes))
        return true;
    pe->reach[k].state = is_there && errno != ESRCH ? UNO_REACH_REFUSED : UNO_REACH_GONE;
    return false;
}

bool uno_reach_write(struct uno_pe *pe, int k, uint64_t to, const void *data, size_t bytes) {
    if (!uno_job_one_process(pe->job))
        return copy_by(process_vm_writev, pe, k, (void *)(uintptr_t)data, to, bytes);
    memcpy((void *)(uintptr_t)to, data, bytes);
    return true;
}

bool uno_reach_read(struct uno_pe *pe, int k, uint64_t from, void *data, size_t bytes) {
    if (!uno_job_one_process(pe->job))
        return copy_by(process_vm_readv, pe, k, data, from, bytes);
    memcpy(data, (const void *)(uintptr_t)from, bytes);
    return true;
}

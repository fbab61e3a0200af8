/* The default unit: PEs are processes that share the launcher's anonymous memory. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/arrays.h"
#include "engine/environment.h"
#include "engine/channel/ring/memory.h"
#include "engine/fault.h"
#include "engine/interrupt.h"
#include "engine/kernel.h"
#include "engine/process.h"
#include "engine/processors.h"
#include "engine/rendezvous.h"
#include "engine/start.h"
#include "engine/tuning.h"
#include "unit/unit.h"

static struct uno_job *map(int fd, size_t size) {
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        uno_fail(uno_self, "p_init: cannot map %zu bytes of the job's memory: %m", size);
    return memory;
}

/* The launcher holds a lock on the job's memory until it ends. Returns its process; 0: this process does not
 * see it, being in another container; -1: it has ended. */
static pid_t launcher_of(int fd) {
    struct flock lock = {.l_type = F_WRLCK};
    if (fcntl(fd, F_GETLK, &lock))
        return 0;
    return lock.l_type == F_UNLCK ? -1 : lock.l_pid;
}

/* Let this process end with its launcher. A launcher that is killed takes the processes with it that it has
 * started; this one, which a wrapper has started, is killed by the kernel when nobody can write into the
 * launcher's pipe any more. So it does not end with its parent, which may have ended rightly. Where the pipe
 * cannot be had, this process goes on. */
static void tie(const struct uno_job *job, pid_t launcher) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)launcher, (int)job->lifeline);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return;
    if (fstat(fd, &st) || !S_ISFIFO(st.st_mode) || fcntl(fd, F_SETSIG, SIGKILL) ||
        fcntl(fd, F_SETOWN, getpid()) || fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC))
        close(fd);
}

/* Tell the launcher, which is not this process's parent, to watch it; and wait until it does, for it cannot
 * see how a process ended that it did not watch before. */
static void tell(int fd, pid_t launcher, int me, const uno_atomic32 *watched) {
    siginfo_t info = {.si_signo = UNO_CHECKED_IN, .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_int = me;
    int handle = (int)syscall(SYS_pidfd_open, launcher, 0);
    /* the number may name another process by now, but not while the launcher has its lock */
    bool told = handle >= 0 && launcher_of(fd) == launcher &&
                syscall(SYS_pidfd_send_signal, handle, UNO_CHECKED_IN, &info, 0) == 0;
    if (handle >= 0)
        close(handle);
    for (uint64_t end = uno_kernel_now() + UNO_WATCHED_NS;
         told && !uno_load32_relaxed(watched) && uno_kernel_now() < end;)
        uno_kernel_pause(UNO_WATCHED_STEP_NS);
}

/* Become PE `me`, unless another process has, at whatever moment. False: that process has started this one,
 * or one that has: a program of its own, say of a pool, which is no PE. */
static bool claim(struct uno_job *job, int fd, int me) {
    struct uno_board *board = &job->board[me];
    if (!uno_cas32_acq_rel(&board->claimed, 0, (uint32_t)getpid())) {
        pid_t other = (pid_t)uno_load32_relaxed(&board->claimed);
        if (other != getpid() && uno_process_below(getpid(), other))
            return false;
        uno_fail(uno_self, "p_init: process %d is PE %d already; only one process may check in for each PE",
                 (int)other, me);
    }
    /* SYNC LEFT: not needed here */
    if (uno_load32_acquire(&board->state) != UNO_ABSENT)
        uno_fail(uno_self,
                 "p_init: PE %d has left already: the process that the launcher started for it has ended",
                 me);
    pid_t launcher = launcher_of(fd);
    if (launcher > 0 && launcher != getppid()) {
        tie(job, launcher);
        launcher = launcher_of(fd);
    }
    if (launcher < 0)
        uno_fail(uno_self, "p_init: the launcher has ended already");
    if (launcher > 0 && launcher != getppid())
        tell(fd, launcher, me, &board->watched);
    return true;
}

/* The job that this process has become PE `me` of; NULL: it is no PE. */
static struct uno_job *launched(const struct uno_handed *memory, int me) {
    /* The part behind it, for messages, is not mapped before it is used. */
    struct uno_job header;
    bool opened;
    int fd = uno_handed_open(memory, &opened);
    if (fd < 0)
        uno_fail(uno_self,
                 "p_init: the launcher's file descriptor %d is gone: a program between `unisono run` and "
                 "this one closed it, and the launcher, process %d, cannot be asked: %m",
                 memory->fd, (int)memory->launcher);
    if (pread(fd, &header, sizeof header, 0) != sizeof header || header.magic != UNO_MAGIC)
        uno_fail(uno_self, "p_init: this program and its launcher come from different versions of Unisono");
    if (me < 0 || me >= header.n)
        uno_fail(uno_self, "p_init: " UNO_ENVIRONMENT "=%s names PE %d, and the PEs of this job are 0 to %d",
                 getenv(UNO_ENVIRONMENT), me, header.n - 1);
    struct uno_job *job = map(fd, uno_job_mapped(&header));
    bool claimed = claim(job, fd, me);
    if (!claimed)
        munmap(job, uno_job_mapped(&header));
    if (opened)
        close(fd);
    return claimed ? job : NULL;
}

static void part(struct uno_pe *pe) {
    uno_board_part(pe);
    uno_mail_free(pe->job);
    uno_sparse_end(pe->job);
    munmap(pe->job, uno_job_mapped(pe->job));
    free(pe);
}

static struct uno_pe *join(void) {
    struct uno_handed memory = {.fd = -1};
    int me = 0, told = uno_environment(&memory, &me);
    if (told < 0)
        uno_fail(uno_self, "p_init: " UNO_ENVIRONMENT "=%s is not what `unisono run` sets",
                 getenv(UNO_ENVIRONMENT));
    struct uno_job *job = told ? launched(&memory, me) : NULL;
    /* A process of several launchers is a PE of this project's, whose variable is there. */
    uno_refuse_foreign(uno_self, "p_init", "PE", "");
    if (!job) {
        me = 0;
        memory.fd = -1;
        job = map(-1, uno_job_size(1, 0));
        uno_job_format(job, 1, uno_processors(), 0);
        job->mail_at = job->arrays_at = UNO_MAIL_OWN;
    }
    uno_kernel_start();
    struct uno_pe *pe = uno_pe_start(&uno_unit_shm, job, me);
    if (!pe)
        uno_fail(uno_self, "p_init: out of memory");
    pe->memory = memory;
    return pe;
}

const struct uno_unit uno_unit_shm = {
    .join = join,
    .meet = uno_board_meet,
    .leave = uno_board_leave,
    .interrupt = uno_interrupt_raise,
    .part = part,
};

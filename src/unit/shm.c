/* The default unit: PEs are processes that share the launcher's anonymous memory. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>

#include "launch/environment.h"
#include "engine/channel_memory.h"
#include "engine/fault.h"
#include "engine/kernel.h"
#include "engine/processors.h"
#include "engine/rendezvous.h"
#include "unit/unit.h"

void uno_shm_part(struct uno_pe *pe) {
    uno_board_part(pe);
    uno_mail_free(pe->job);
    munmap(pe->job, uno_job_size(pe->job->n, pe->job->observe));
    free(pe);
}

const struct uno_unit uno_unit_shm = {
    .name = "shm",
    .meet = uno_board_meet,
    .leave = uno_board_leave,
    .part = uno_shm_part,
};

static struct uno_job *map(int fd, size_t size) {
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, fd < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        uno_fail(uno_self, "p_init: cannot map %zu bytes of the job's memory: %m", size);
    return memory;
}

/* The launcher holds a lock on the job's memory until it ends. */
static bool launcher_lives(int fd) {
    struct flock lock = {.l_type = F_WRLCK};
    return fcntl(fd, F_GETLK, &lock) || lock.l_type != F_UNLCK;
}

static struct uno_job *launched(int fd, int me) {
    /* Not all of it: what lies behind, for messages, is mapped when it is used. */
    struct uno_job header;
    if (pread(fd, &header, sizeof header, 0) != sizeof header)
        uno_fail(
            uno_self,
            "p_init: the launcher's file descriptor %d is gone; a program between `unisono run` and this "
            "one closed it, which must leave it open",
            fd);
    if (header.magic != UNO_MAGIC)
        uno_fail(uno_self, "p_init: this program and its launcher come from different versions of Unisono");
    struct uno_job *job = map(fd, uno_job_size(header.n, header.observe));
    /* SYNC JOINED: pid */
    if (uno_load32_acquire(&job->board[me].state) != UNO_ABSENT)
        uno_fail(uno_self, "p_init: process %d is PE %d already; only one process may check in for each PE",
                 (int)job->board[me].pid, me);
    /* A launcher that is killed takes its children along; here, also the children of a wrapper. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!launcher_lives(fd))
        uno_fail(uno_self, "p_init: the launcher has ended already");
    return job;
}

struct uno_pe *uno_shm_join(void) {
    int fd, me = 0;
    struct uno_job *job;
    if (uno_environment(&fd, &me)) {
        job = launched(fd, me);
    } else {
        job = map(-1, uno_job_size(1, 0));
        uno_job_format(job, 1, uno_processors(), 0);
        job->mail_at = UNO_MAIL_OWN;
    }
    uno_kernel_start();
    struct uno_pe *pe = uno_pe_start(job->observe ? &uno_unit_observed : &uno_unit_shm, job, me);
    if (!pe)
        uno_fail(uno_self, "p_init: out of memory");
    if (job->observe)
        uno_observed_start(pe);
    return pe;
}

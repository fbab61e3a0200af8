/* PEs as threads of one process: p_team. */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "engine/arrays.h"
#include "engine/channel/channel.h"
#include "engine/fault.h"
#include "engine/interrupt.h"
#include "engine/kernel.h"
#include "engine/processors.h"
#include "engine/rendezvous.h"
#include "engine/start.h"
#include "unit/unit.h"

struct member {
    pthread_t thread;
    struct uno_job *job;
    int number;
    int (*function)(void *);
    void *argument;
    int result;
};

/* The thread ends by pthread_exit or is cancelled: the others would wait for it for ever. */
static void thread_ends(void *pe) {
    uno_fail(pe, "p_team: the thread of this PE has ended; its function must return");
}

static void *run(void *argument) {
    struct member *member = argument;
    struct uno_pe *pe = uno_pe_start(&uno_unit_thread, member->job, member->number);
    if (!pe)
        uno_fail(uno_self, "p_team: out of memory");
    struct uno_pe *before = uno_self;
    uno_self = pe;
    pthread_cleanup_push(thread_ends, pe);
    member->result = member->function(member->argument);
    pthread_cleanup_pop(0);
    if (pe->files)
        pe->end_files(pe);
    uno_channel_end(pe);
    uno_arrays_end(pe);
    uno_board_part(pe);
    uno_self = before;
    free(pe);
    return NULL;
}

static int team(int n, int (*function)(void *), void *argument) {
    size_t buffers = uno_job_buffers_at(n, 0),
           size = buffers + uno_job_buffers_size(n, uno_job_buffer_bytes(n));
    struct uno_job *job =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct member *members = calloc((size_t)n, sizeof *members);
    if (job == MAP_FAILED || !members)
        uno_fail(uno_self, "p_team: out of memory for %d PEs", n);
    uno_job_format(job, n, uno_processors(), 0);
    uno_job_set_buffers(job, buffers, uno_job_buffer_bytes(n));
    job->mail_at = job->arrays_at = UNO_MAIL_OWN;
    uno_kernel_start();
    for (int k = 0; k < n; k++) {
        struct member *m = &members[k];
        *m = (struct member){.job = job, .number = k, .function = function, .argument = argument};
        int error = pthread_create(&m->thread, NULL, run, m);
        if (error)
            uno_fail(uno_self, "p_team: cannot start thread %d of %d: %s", k + 1, n, strerror(error));
    }
    int greatest = 0;
    for (int k = 0; k < n; k++) {
        pthread_join(members[k].thread, NULL);
        if (k == 0 || members[k].result > greatest)
            greatest = members[k].result;
    }
    uno_mail_free(job);
    uno_sparse_end(job);
    munmap(job, size);
    free(members);
    return greatest;
}

const struct uno_unit uno_unit_thread = {
    .team = team,
    .meet = uno_board_meet,
    .leave = uno_board_leave,
    .interrupt = uno_interrupt_raise,
    .part = uno_board_part,
};

#define _GNU_SOURCE
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "engine/arrays.h"
#include "engine/channel/ring/memory.h"
#include "engine/kernel.h"
#include "engine/nodes.h"
#include "engine/processors.h"
#include "far.h"
#include "hardware.h"
#include "records.h"
#include "refuse.h"
#include "unit/rtl/port.h"
#include "unit/unit.h"

void uno_memory_describe(struct uno_job *job, const struct uno_launch *launch, pid_t command) {
    size_t length = 0, room = sizeof job->program - 1;
    for (int i = 0; i < launch->parts; i++) {
        if (i && length < room)
            length += (size_t)snprintf(job->program + length, room - length + 1, " :");
        for (char **word = launch->part[i].argv; *word && length < room; word++)
            length +=
                (size_t)snprintf(job->program + length, room - length + 1, length ? " %s" : "%s", *word);
    }
    for (char *c = job->program; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?'; /* a terminal, and JSON, take any program's name */
    job->launcher = command;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    /* SYNC ORIGIN: launcher and program */
    uno_store64_release(&job->started, (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec);
}

/* The offsets of the parts of the job's memory; 0: the job does not have the part. front: the bytes up to the
 * buffers, which the launcher maps. */
struct sizes {
    size_t front, ports_at, nodes_at, buffers_at, mail_at, arrays_at, all;
};

/* Lay out the memory. Buffers, messages and arrays take a large file, little of which is used. A limit of
 * file sizes may forbid some of them; the job then has the parts that fit. */
static struct sizes sizes_of(int n, int observe, size_t ports, bool nodes, bool each) {
    struct rlimit limit;
    size_t most = getrlimit(RLIMIT_FSIZE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
    struct sizes s = {.front = uno_job_size(n, observe)};
    size_t buffers_at = uno_job_buffers_at(n, observe);
    if (ports) {
        s.ports_at = buffers_at;
        s.front = buffers_at += ports;
    }
    if (nodes) {
        s.nodes_at = buffers_at;
        s.front = buffers_at += uno_nodes_size(n);
    }
    size_t mail_at = uno_mail_at(buffers_at + uno_job_buffers_size(n, uno_job_buffer_bytes(n)));
    size_t mail_end = mail_at + (each ? (size_t)n : 1) * uno_mail_layout(n).size;
    size_t arrays_at = uno_arrays_at(mail_end);
    size_t end = arrays_at + (size_t)n * uno_arrays_part(n);
    s.all = s.front;
    if (mail_at <= most) {
        s.buffers_at = buffers_at;
        s.all = mail_at;
    }
    if (mail_end <= most) {
        s.mail_at = mail_at;
        s.all = mail_end;
    }
    if (end <= most) {
        s.arrays_at = arrays_at;
        s.all = end;
    }
    return s;
}

/* Set up the descriptors that the PEs get or may open. */
static void hand_out(struct uno_run *run, int memory) {
    struct stat st = {0};
    fstat(memory, &st);
    run->spawn.memory = memory;
    run->spawn.device = st.st_dev;
    run->spawn.inode = st.st_ino;
    run->job->lifeline = run->lifeline[0];
    run->job->trace_file = run->spawn.trace;
    if (run->spawn.trace < 0)
        return;
    fstat(run->spawn.trace, &st);
    run->job->trace_device = st.st_dev;
    run->job->trace_inode = st.st_ino;
}

int uno_memory_make(struct uno_run *run) {
    const struct uno_launch *launch = run->launch;
    int observe = uno_records_wanted(launch);
    size_t ports = uno_hardware_size(launch);
    bool each = uno_hardware_is_mesh(launch);
    struct sizes sizes = sizes_of(launch->n, observe, ports, launch->node || each, each);
    size_t size = sizes.front;
    int fd = uno_kernel_memory("unisono");
    run->job = MAP_FAILED;
    /* the lock tells a PE that checks in whether its launcher still lives */
    if (fd >= 0 && uno_kernel_memory_size(fd, sizes.all) == 0 &&
        fcntl(fd, F_SETLK, &(struct flock){.l_type = F_WRLCK}) == 0)
        run->job = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (run->job == MAP_FAILED)
        return uno_refuse(EXIT_FAILURE, "cannot make the job's memory, %zu bytes: %s%s", size,
                          strerror(errno),
                          errno == EFBIG ? "; the limit of file sizes (ulimit -f) is below that" : "");
    uno_job_format(run->job, launch->n, uno_processors(), observe);
    snprintf(run->job->unit, sizeof run->job->unit, "%s", launch->unit->name);
    run->job->ports_at = sizes.ports_at;
    run->job->nodes_at = sizes.nodes_at;
    if (sizes.ports_at || sizes.nodes_at)
        run->job->buffers = size; /* where these would be */
    if (sizes.ports_at)
        uno_hardware_describe(run);
    if (launch->node)
        uno_far_describe(launch->node, run->job);
    if (sizes.buffers_at)
        uno_job_set_buffers(run->job, sizes.buffers_at, uno_job_buffer_bytes(launch->n));
    run->job->mail_at = sizes.mail_at;
    run->job->arrays_at = sizes.arrays_at;
    run->job->arrays_part = uno_arrays_part(launch->n);
    hand_out(run, fd);
    uno_memory_describe(run->job, launch, run->command);
    memcpy(run->made, run->job, sizeof *run->made);
    return 0;
}

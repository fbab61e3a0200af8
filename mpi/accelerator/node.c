#define _GNU_SOURCE
#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "comm.h"
#include "engine/kernel.h"
#include "engine/processors.h"
#include "engine/rendezvous.h"
#include "progress.h"
#include "settings.h"
#include "datatype.h"
#include "unit/unit.h"

enum { BUFFER = 64 * 1024 };

struct uno_node uno_node;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "unisono: rank %d: %s\n", uno_node.world_rank, text);
}

/* ---- settings --------------------------------------------------------------------------------------------
 */

/* Rank 0's are everyone's. */
static void agree_on_settings(void) {
    const char *error = uno_node.world_rank == 0 ? uno_settings_parse(&uno_settings) : NULL;
    if (error) {
        say("%s", error);
        HOST(Abort)(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    HOST(Bcast)(&uno_settings, sizeof uno_settings, MPI_BYTE, 0, MPI_COMM_WORLD);
}

/* ---- memory ----------------------------------------------------------------------------------------------
 */

/* What rank 0 of the node tells the others. */
struct offer {
    int pid, fd; /* fd -1: it has nothing to offer */
};

static size_t buffers_at(int n) {
    return (uno_job_size(n, 0) + 4095) / 4096 * 4096;
}

static size_t memory_size(int n) {
    return buffers_at(n) + uno_job_buffers_size(n, BUFFER);
}

/* Why there is no memory, by errno. */
static void *cannot(const char *what) {
    say("%s: %s; this node's ranks go on without the accelerator", what, strerror(errno));
    return NULL;
}

static void *map(int fd, int n) {
    void *memory = mmap(NULL, memory_size(n), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? cannot("cannot map the memory that its node shares") : memory;
}

static struct uno_job *make_memory(int n, struct offer *offer) {
    offer->pid = getpid();
    offer->fd = memfd_create("unisono-mpi", MFD_CLOEXEC);
    if (offer->fd < 0 || ftruncate(offer->fd, (off_t)memory_size(n)))
        return cannot("cannot make memory to share");
    struct uno_job *job = map(offer->fd, n);
    if (!job)
        return NULL;
    uno_job_format(job, n, uno_processors(), 0);
    uno_job_set_buffers(job, buffers_at(n), BUFFER);
    return job;
}

static struct uno_job *open_memory(int n, const struct offer *offer) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", offer->pid, offer->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return cannot("cannot open the memory that its node shares");
    struct uno_job *job = map(fd, n);
    close(fd);
    return job;
}

/* What the ranks of a node agree on: the or of what each of them brings. */
struct agreement {
    unsigned char failed, threads;
    unsigned char processors[sizeof(cpu_set_t)];
};

/* The processors of all ranks: a rank may be bound to one of them. Its quota, if it has one, is for all. */
static int count_processors(const struct agreement *all) {
    cpu_set_t set;
    memcpy(&set, all->processors, sizeof set);
    int count = CPU_COUNT(&set);
    double quota = uno_processor_quota();
    if (quota > 0 && quota < count)
        count = quota < 1 ? 1 : (int)quota;
    return count;
}

/* NULL on all ranks of the node if it fails on one of them. */
static struct uno_job *share_memory(MPI_Comm comm, bool threads) {
    int n = uno_node.size;
    struct offer offer = {.fd = -1};
    struct uno_job *job = NULL;
    if (uno_node.rank == 0)
        job = make_memory(n, &offer);
    HOST(Bcast)(&offer, sizeof offer, MPI_BYTE, 0, comm);
    if (uno_node.rank != 0 && offer.fd >= 0)
        job = open_memory(n, &offer);
    struct agreement mine = {.failed = !job, .threads = threads}, all;
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    memcpy(mine.processors, &set, sizeof set);
    HOST(Allreduce)(&mine, &all, sizeof mine, MPI_BYTE, MPI_BOR, comm);
    if (offer.fd >= 0 && uno_node.rank == 0)
        close(offer.fd);
    if (all.failed) {
        if (job)
            munmap(job, memory_size(n));
        return NULL;
    }
    uno_node.threads = all.threads;
    if (uno_node.rank == 0)
        job->processors = count_processors(&all);
    return job;
}

/* ---- start and end ---------------------------------------------------------------------------------------
 */

/* Which ranks of MPI_COMM_WORLD are on this node. False: out of memory. */
static bool find_ranks(MPI_Comm comm) {
    int n = uno_node.size;
    int *rank = calloc((size_t)n, sizeof *rank), *world_rank = calloc((size_t)n, sizeof *world_rank);
    uno_node.pe_of = calloc((size_t)uno_node.world_size, sizeof *uno_node.pe_of);
    bool enough = rank && world_rank && uno_node.pe_of;
    if (enough) {
        MPI_Group group;
        for (int i = 0; i < uno_node.world_size; i++)
            uno_node.pe_of[i] = -1;
        for (int i = 0; i < n; i++)
            rank[i] = i;
        HOST(Comm_group)(MPI_COMM_WORLD, &uno_node.world);
        HOST(Comm_group)(comm, &group);
        HOST(Group_translate_ranks)(group, n, rank, uno_node.world, world_rank);
        for (int i = 0; i < n; i++)
            uno_node.pe_of[world_rank[i]] = i;
        HOST(Group_free)(&group);
    }
    free(rank);
    free(world_rank);
    return enough;
}

static void start_on(MPI_Comm comm, bool threads) {
    HOST(Comm_size)(comm, &uno_node.size);
    HOST(Comm_rank)(comm, &uno_node.rank);
    if (uno_node.size == 1)
        return;
    if (uno_node.size > UNO_MAX_PES) {
        if (uno_node.rank == 0)
            say("%d ranks on one node; the accelerator is for at most %d of them, and stays off",
                uno_node.size, UNO_MAX_PES);
        return;
    }
    struct uno_job *job = share_memory(comm, threads);
    if (!job)
        return;
    HOST(Barrier)(comm); /* rank 0 has counted the processors */
    uno_kernel_start();
    uno_node.lane.pe = uno_pe_start(&uno_unit_shm, job, uno_node.rank);
    int worked = uno_node.lane.pe && find_ranks(comm) && uno_comm_start(), all;
    HOST(Allreduce)(&worked, &all, 1, MPI_INT, MPI_MIN, comm);
    if (!worked)
        say("out of memory; this node's ranks go on without the accelerator");
    uno_node.on = all && !uno_node.threads;
    if (uno_node.on) {
        uno_progress_start();
        uno_progress_attach(uno_node.lane.pe);
    }
}

void uno_node_start(void) {
    int provided;
    HOST(Comm_rank)(MPI_COMM_WORLD, &uno_node.world_rank);
    HOST(Comm_size)(MPI_COMM_WORLD, &uno_node.world_size);
    HOST(Query_thread)(&provided);
    agree_on_settings();
    if (uno_settings.off)
        return;
    MPI_Comm comm;
    HOST(Comm_split_type)(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, uno_node.world_rank, MPI_INFO_NULL, &comm);
    start_on(comm, provided == MPI_THREAD_MULTIPLE);
    HOST(Comm_free)(&comm);
}

void uno_node_end(void) {
    if (!uno_node.on)
        return;
    uno_node.on = false;
    uno_comm_end();
    uno_progress_end();
    HOST(Group_free)(&uno_node.world);
    uno_board_part(uno_node.lane.pe);
}

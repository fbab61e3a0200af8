#define _GNU_SOURCE
#include "accelerator/host/node.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accelerator/host/comm.h"
#include "accelerator/host/datatype.h"
#include "collective/transport/plan.h"
#include "engine/kernel.h"
#include "engine/processors.h"
#include "collective/lane.h"
#include "accelerator/host/progress.h"
#include "accelerator/settings.h"
#include "collective/transport/direct.h"
#include "accelerator/observe/watch.h"

struct uno_node uno_node;

static void say(const char *format, va_list arguments) {
    char text[600];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "unisono: rank %d: %s\n", uno_node.world_rank, text);
}

/* Why nothing is accelerated on this node, for those who ask. */
static void stay_off(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void stay_off(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(uno_node.why, sizeof uno_node.why, format, arguments);
    va_end(arguments);
}

void uno_node_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

enum { SPEAK_NS = 200 * 1000 * 1000 };

void uno_node_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    /* MPICH's launcher drops what a rank wrote right before it aborts. */
    uno_kernel_pause(SPEAK_NS);
    HOST(Abort)(MPI_COMM_WORLD, EXIT_FAILURE);
    abort(); /* should the host return */
}

void *uno_node_allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory)
        uno_node_fail("out of memory");
    return memory;
}

/* Rank 0's settings are everyone's. */
static void agree_on_settings(void) {
    if (uno_node.world_rank == 0) {
        const char *error = uno_settings_parse(&uno_settings, uno_node.world_size);
        if (!error && !uno_settings.off)
            error = uno_decide_read();
        if (error)
            uno_node_fail("%s", error);
        uno_settings.tolerant = HOST(tolerant) && *HOST(tolerant);
    }
    HOST(Bcast)(&uno_settings, sizeof uno_settings, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (!uno_settings.off)
        uno_decide_agree();
}

/* What the ranks of a node agree on: the or of what each of them brings. */
struct agreement {
    unsigned char threads;
    int session, not_session;                    /* and all bits of it turned over */
    int first;                                   /* rank 0's rank in MPI_COMM_WORLD; 0 of the others */
    unsigned char processors[sizeof(cpu_set_t)]; /* a rank may be bound to one of them */
};

static void agree_on_node(MPI_Comm comm) {
    struct agreement mine = {0}, all;
    cpu_set_t set;
    int provided;
    HOST(Query_thread)(&provided);
    mine.threads = provided == MPI_THREAD_MULTIPLE;
    mine.session = (int)getsid(0);
    mine.not_session = ~mine.session;
    mine.first = uno_node.rank ? 0 : uno_node.world_rank;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    memcpy(mine.processors, &set, sizeof set);
    HOST(Allreduce)(&mine, &all, sizeof mine, MPI_BYTE, MPI_BOR, comm);
    uno_node.threads = all.threads;
    uno_node.first = all.first;
    uno_node.together = all.session == ~all.not_session;
    memcpy(&set, all.processors, sizeof set);
    int count = CPU_COUNT(&set);
    /* the quota, if there is one, is for all of them together */
    double quota = uno_processor_quota();
    if (quota > 0 && quota < count)
        count = quota < 1 ? 1 : (int)quota;
    uno_node.processors = count;
    uno_node.crowded = uno_node.size > count;
}

/* Which ranks of MPI_COMM_WORLD are on this node. */
static void find_ranks(MPI_Comm comm) {
    int n = uno_node.size;
    int *rank = uno_node_allocate((size_t)n, sizeof *rank);
    int *world_rank = uno_node_allocate((size_t)n, sizeof *world_rank);
    uno_node.pe_of = uno_node_allocate((size_t)uno_node.world_size, sizeof *uno_node.pe_of);
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
    free(rank);
    free(world_rank);
}

/* The first rank of every node. */
static void find_heads(MPI_Comm comm) {
    int head = uno_node.on ? uno_node.world_rank : -1;
    uno_node.head_of = uno_node_allocate((size_t)uno_node.world_size, sizeof *uno_node.head_of);
    HOST(Bcast)(&head, 1, MPI_INT, 0, comm);
    HOST(Allgather)(&head, 1, MPI_INT, uno_node.head_of, 1, MPI_INT, MPI_COMM_WORLD);
}

/* The ranks that share memory; or of those, the ones that are to be taken for a node. */
static MPI_Comm find_node(void) {
    MPI_Comm comm, part;
    HOST(Comm_split_type)(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, uno_node.world_rank, MPI_INFO_NULL, &comm);
    if (!uno_settings.nodes)
        return comm;
    HOST(Comm_split)
    (comm, uno_settings_node_of(uno_node.world_rank, uno_node.world_size), uno_node.world_rank, &part);
    HOST(Comm_free)(&comm);
    return part;
}

static void start_on(MPI_Comm comm) {
    HOST(Comm_size)(comm, &uno_node.size);
    HOST(Comm_rank)(comm, &uno_node.rank);
    if (uno_node.world_size == 1) {
        stay_off("one rank in all");
        return;
    }
    if (uno_settings.tolerant) {
        stay_off("the MPI library is to go on when a process has ended, and the accelerator does not");
        return;
    }
    if (uno_node.size > UNO_MAX_PES) {
        stay_off("%d ranks on one node, and it is for at most %d", uno_node.size, UNO_MAX_PES);
        if (uno_node.rank == 0)
            uno_node_say("the accelerator stays off: %s", uno_node.why);
        return;
    }
    uno_kernel_start();
    uno_progress_start();
    agree_on_node(comm);
    if (uno_node.size > 1 && !uno_lane_start(comm)) {
        stay_off("the ranks of a node cannot share memory");
        return;
    }
    uno_single_start(comm);
    find_ranks(comm);
    uno_comm_start();
    uno_datatype_start();
    uno_node.on = true;
}

static bool is_spawned(void) {
    MPI_Comm parent;
    HOST(Comm_get_parent)(&parent);
    return parent != MPI_COMM_NULL;
}

void uno_node_start(void) {
    HOST(Comm_rank)(MPI_COMM_WORLD, &uno_node.world_rank);
    HOST(Comm_size)(MPI_COMM_WORLD, &uno_node.world_size);
    uno_node.first = uno_node.world_rank;
    agree_on_settings();
    if (uno_settings.off) {
        stay_off("UNISONO_MPI=off");
    } else {
        MPI_Comm comm = find_node();
        start_on(comm);
        find_heads(comm);
        HOST(Comm_free)(&comm);
    }
    if (is_spawned()) /* the file is of the job that was started */
        uno_settings.profile = false;
    uno_watched = uno_settings.profile || uno_settings.check;
    if (uno_watched)
        uno_profile_start();
}

void uno_node_end(void) {
    if (uno_watched) {
        uno_profile_end();
        uno_check_end();
    }
    uno_watched = false;
    if (!uno_node.on)
        return;
    uno_node.on = false;
    uno_datatype_end();
    uno_comm_end();
    uno_lane_end();
    uno_progress_end();
    HOST(Group_free)(&uno_node.world);
}

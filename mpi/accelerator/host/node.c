#define _GNU_SOURCE
#include "accelerator/host/node.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "accelerator/settings.h"
#include "collective/base.h"
#include "engine/processors.h"

struct uno_node uno_node;

void uno_node_find_world(void) {
    HOST(Comm_rank)(MPI_COMM_WORLD, &uno_node.world_rank);
    HOST(Comm_size)(MPI_COMM_WORLD, &uno_node.world_size);
    uno_node.first = uno_node.world_rank;
}

MPI_Comm uno_node_split(void) {
    MPI_Comm comm, part;
    HOST(Comm_split_type)(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, uno_node.world_rank, MPI_INFO_NULL, &comm);
    if (uno_settings.nodes) {
        int node = uno_settings_node_of(uno_node.world_rank, uno_node.world_size);
        HOST(Comm_split)(comm, node, uno_node.world_rank, &part);
        HOST(Comm_free)(&comm);
        comm = part;
    }
    HOST(Comm_size)(comm, &uno_node.size);
    HOST(Comm_rank)(comm, &uno_node.rank);
    return comm;
}

/* The agreement of the ranks of a node: the bitwise or of each rank's values. */
struct agreement {
    unsigned char threads;
    int session, not_session; /* the session, and its bits inverted */
    int first;                /* rank 0's rank in MPI_COMM_WORLD; 0 on the others */
    /* processors that the ranks may use, since each may be bound to one */
    unsigned char processors[sizeof(cpu_set_t)];
};

void uno_node_agree(MPI_Comm comm) {
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
    /* a quota, if there is one, is for all ranks together */
    double quota = uno_processor_quota();
    if (quota > 0 && quota < count)
        count = quota < 1 ? 1 : (int)quota;
    uno_node.processors = count;
    uno_node.crowded = uno_node.size > count;
}

void uno_node_find_ranks(MPI_Comm comm) {
    int n = uno_node.size;
    int *rank = uno_base_allocate((size_t)n, sizeof *rank);
    int *world_rank = uno_base_allocate((size_t)n, sizeof *world_rank);
    uno_node.pe_of = uno_base_allocate((size_t)uno_node.world_size, sizeof *uno_node.pe_of);
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

void uno_node_find_heads(MPI_Comm comm) {
    int head = uno_node.on ? uno_node.world_rank : -1;
    uno_node.head_of = uno_base_allocate((size_t)uno_node.world_size, sizeof *uno_node.head_of);
    HOST(Bcast)(&head, 1, MPI_INT, 0, comm);
    HOST(Allgather)(&head, 1, MPI_INT, uno_node.head_of, 1, MPI_INT, MPI_COMM_WORLD);
}

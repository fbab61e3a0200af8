/* The nodes of a job on several machines, and the place of each PE.
 *
 * Each node has a job's memory of its own, which its agent makes (launch/). It has room for all PEs of the
 * job, so that a PE has the same number everywhere; memory that nobody touches takes none. The boards and
 * rings of a PE on another node stand for it here: the agent marks on its board that it has left, and a PE
 * that exchanges messages with it moves lines between rings and network (channel/far/). */

#ifndef UNO_JOB_NODES_H
#define UNO_JOB_NODES_H

#include "pe.h"

enum { UNO_NODE_NAME = 64, UNO_PLACE_ADDRESS = 112, UNO_NODES_MOST = UNO_MAX_PES };

/* The place of one PE. Two cache lines. */
struct uno_node_place {
    int32_t node;               /* the number of its node, written before the job starts */
    uno_atomic32 address_bytes; /* bytes of its address; 0: not known yet. Stored by the PE on its own node,
                                   by the agent on the others, */
    char address[UNO_PLACE_ADDRESS]; /* after this */
    /* packets ever: of a PE on this node those that it has taken in, of another one those that were sent to
     * it from here; the launcher counts by them what is on its way */
    uno_atomic64 packets;
};
_Static_assert(sizeof(struct uno_node_place) == 128, "cache lines");

/* The memory of a job for them, at job->nodes_at: the network, the name of each node, the place of each PE.
 */
struct uno_job_nodes {
    int32_t count; /* nodes, 1 or more */
    int32_t here;  /* the number of this one */
    int32_t pes;   /* PEs on this one */
    /* tiles of a row of a mesh: each PE is a node of its own, though all lie in this memory; 0: it is not */
    int32_t columns;
    int32_t first_port, last_port; /* that endpoints may listen on; 0: any */
    uint64_t mask[UNO_WORDS];      /* the PEs on this one */
    uno_atomic64 addresses;        /* counts the addresses that have come to this node: PEs wait by it */
    char interface[UNO_NODE_NAME]; /* the network interface of this node, or an address; empty: the system's
                                      choice */
    char name[UNO_NODES_MOST][UNO_NODE_NAME];
    struct uno_node_place place[] __attribute__((aligned(64)));
};

/* The bytes of that memory for a job of n PEs. */
static inline size_t uno_nodes_size(int n) {
    return sizeof(struct uno_job_nodes) + (size_t)n * sizeof(struct uno_node_place);
}

/* Return the offset, from the start of a job on several nodes, of the count of PE k's packets. */
static inline size_t uno_nodes_packets_at(const struct uno_job *job, int k) {
    return job->nodes_at + sizeof(struct uno_job_nodes) + (size_t)k * sizeof(struct uno_node_place) +
           offsetof(struct uno_node_place, packets);
}

/* Complete the memory of the node with the number `here`, in which the node of each PE has been written: its
 * own PEs, and that those of other nodes are on no processor of it. */
void uno_nodes_settle(struct uno_job *job, int here);

/* Return that memory; NULL: the job is on one machine. */
static inline struct uno_job_nodes *uno_nodes_of(struct uno_job *job) {
    return job->nodes_at ? (struct uno_job_nodes *)(void *)((char *)job + job->nodes_at) : NULL;
}

/* Return the number of the node that a PE of the job is on, and its name. */
static inline int uno_node_of(const struct uno_pe *pe, int k) {
    return uno_nodes_of(pe->job)->place[k].node;
}
static inline const char *uno_node_name(const struct uno_pe *pe, int k) {
    return uno_nodes_of(pe->job)->name[uno_node_of(pe, k)];
}

/* Return true if PE k is on another node than this one, with which it shares no memory. */
static inline bool uno_is_far(const struct uno_pe *pe, int k) {
    return pe->job->nodes_at && uno_node_of(pe, k) != uno_node_of(pe, pe->me);
}

/* Return word w of the mask of the PEs that share this one's memory. */
static inline uint64_t uno_near_word(const struct uno_pe *pe, int w) {
    const struct uno_job_nodes *nodes = uno_nodes_of(pe->job);
    if (!nodes)
        return UINT64_MAX;
    return nodes->columns ? (uint64_t)(pe->me / 64 == w) << pe->me % 64 : nodes->mask[w];
}

/* Return the lowest PE of a mask that is on another node than this one; -1: there is none. */
static inline int uno_nodes_far(const struct uno_pe *pe, const uint64_t *mask) {
    for (int w = 0; pe->job->nodes_at && w < pe->job->words; w++) {
        uint64_t far = mask[w] & ~uno_near_word(pe, w);
        if (far)
            return w * 64 + __builtin_ctzll(far);
    }
    return -1;
}

/* Return true if each PE is a node of its own, though all lie in one memory: they are the tiles of a
 * simulated unit. The header alone tells, since observers outside the job map only its boards. */
static inline bool uno_nodes_each(const struct uno_job *job) {
    return job->nodes_at && job->ports_at;
}

/* Give PE k, which is this process, its address, and tell the agent, which passes it on to the other nodes.
 * launcher: the agent's process. */
void uno_place_give(struct uno_job *job, pid_t launcher, int k, const void *address, size_t bytes);

/* Return the number of PEs on this node. */
static inline int uno_pes_here(struct uno_job *job) {
    return job->nodes_at ? uno_nodes_of(job)->pes : job->n;
}

#endif

/* A launcher's part in a job on several machines: it is that of one node, and starts this node's PEs alone.
 *
 * An agent (hosts/agent.c) fills in the record, so that the launcher knows nothing of the connection to the
 * others. Without a record the job is on one machine. */

#ifndef UNO_NODE_H
#define UNO_NODE_H

#include <stddef.h>
#include <stdint.h>

#include "request.h"

struct uno_run;

struct uno_node {
    int count, here;             /* nodes, and the number of this one */
    char (*name)[UNO_HOST_NAME]; /* of each node */
    const int32_t *seat;         /* the node of each PE */
    int first_port, last_port;   /* for the network between PEs; 0: any */
    const char *interface;       /* for that network; empty: the system's choice */
    int observe;                 /* what the PEs record: flags of enum uno_observe */
    int input;                   /* descriptor, to read, for PE 0; -1: none */
    int events;                  /* readable when `hear` or `tell` has something to do */
    bool lost;                   /* nobody is at the other end any more */
    void *link;                  /* the agent's */

    /* Called in the launcher's process before it starts a PE: set the descriptors. Returns 0 or -errno. */
    int (*open)(struct uno_node *node);

    /* Called when every PE here has started: tell the others, and close `input`. */
    void (*begun)(struct uno_node *node);

    /* Called with the output of a PE, or, of PE -1, a line of the launcher's own; no bytes: it has ended. */
    void (*output)(void *node, int pe, int which, const char *text, size_t length);

    /* Return true if there is room for more such output. */
    bool (*room)(void *node, int which);

    /* Tell the others that PE k, of this node, has an address, has failed, has ended, or has been forgiven.
     */
    void (*address)(struct uno_node *node, int k, const char *address, size_t bytes);
    void (*fault)(struct uno_node *node, int k, uint64_t about, const char *text);
    void (*ended)(struct uno_node *node, int k, int result, bool counts);
    void (*forgiven)(struct uno_node *node, int k);

    /* Tell the others what a look for a deadlock has shown: as of uno_deadlock_here (deadlock.h). */
    void (*stuck)(struct uno_run *run, const int *waits_for, bool apart);

    /* Read what has come from the others, and do it, without waiting; it may make room for output. */
    void (*hear)(struct uno_run *run);

    /* Write what is to be told, as much as is possible without waiting. */
    void (*tell)(struct uno_run *run);

    /* All PEs of this node have ended: tell that, and how many had checked in. */
    void (*over)(struct uno_run *run, int checked_in);

    /* Return true if all that is to be told is written. */
    bool (*told)(const struct uno_node *node);
};

/* Return true if PE k is one of those that this launcher starts. */
bool uno_node_has(const struct uno_launch *launch, int k);

/* Return how many these are; and how many of them are before PE k. */
int uno_node_pes(const struct uno_launch *launch);
int uno_node_before(const struct uno_launch *launch, int k);

/* Return the name of PE k's host, or NULL in a job on one machine. */
const char *uno_node_host(const struct uno_launch *launch, int k);

#endif

/* The hosts of a job, as a user names them, and the places for PEs on them. */

#ifndef UNO_LIST_H
#define UNO_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/nodes.h"

enum { UNO_LIST_ERROR = 512 };

struct uno_hosts {
    int count;                                /* nodes: different hosts */
    long slots;                               /* of all of them */
    char name[UNO_NODES_MOST][UNO_NODE_NAME]; /* of each node */
    bool slurm[UNO_NODES_MOST];               /* it is one of the Slurm allocation (slurm.h) */
    int32_t seat[UNO_MAX_PES]; /* the node of each slot, in order, as far as PEs can have them */
};

/* Add the hosts of a list such as "a:4,b". A host has one slot unless the list says otherwise. Returns false,
 * and the reason in `error`, if it is no such list. */
bool uno_hosts_list(struct uno_hosts *hosts, const char *text, char error[UNO_LIST_ERROR]);

/* Add the hosts of a file: lines "host", "host:slots" or "host slots=N", and comments behind #. */
bool uno_hosts_file(struct uno_hosts *hosts, const char *path, char error[UNO_LIST_ERROR]);

/* Add one host with so many slots. */
bool uno_hosts_add(struct uno_hosts *hosts, const char *name, long slots, char error[UNO_LIST_ERROR]);

/* Return true if the name is that of this machine. */
bool uno_host_is_here(const char *name);

#endif

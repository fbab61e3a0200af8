#define _GNU_SOURCE
#include "nodes.h"

#include <signal.h>
#include <string.h>

#include "environment.h"

void uno_nodes_settle(struct uno_job *job, int here) {
    struct uno_job_nodes *nodes = uno_nodes_of(job);
    nodes->here = here;
    nodes->pes = 0;
    for (int k = 0; k < job->n; k++) {
        if (nodes->place[k].node == here) {
            nodes->pes++;
            nodes->mask[k / 64] |= (uint64_t)1 << k % 64;
        } else {
            /* no PE here is on the same processor as that one */
            uno_store32_relaxed(&uno_job_processor(job)[k], UINT32_MAX);
        }
    }
}

void uno_place_give(struct uno_job *job, pid_t launcher, int k, const void *address, size_t bytes) {
    struct uno_node_place *place = &uno_nodes_of(job)->place[k];
    memcpy(place->address, address, bytes);
    /* SYNC ADDRESS: the address */
    uno_store32_release(&place->address_bytes, (uint32_t)bytes);
    /* where the agent cannot be reached, it looks from time to time */
    sigqueue(launcher, UNO_CHECKED_IN, (union sigval){.sival_int = k});
}

#include "nodes.h"

void uno_nodes_settle(struct uno_job *job, int here) {
    struct uno_nodes *nodes = uno_nodes_of(job);
    nodes->here = here;
    nodes->pes = 0;
    for (int k = 0; k < job->n; k++) {
        if (nodes->place[k].node == here) {
            nodes->pes++;
            nodes->mask[k / 64] |= (uint64_t)1 << k % 64;
        } else {
            /* no PE here is on the same processor as that one */
            uno_store32_relaxed(&job->processor[k], UINT32_MAX);
        }
    }
}

/* The collective operations of ranks that are all on one node. Each returns whether it has done the work; if
 * not, nothing has happened, on any rank, and it must be done otherwise. To be called by all ranks of the
 * communicator, with arguments that are valid: who calls looks at them before.
 *
 * Of ranks on several nodes: hierarchy/hierarchical.h. */

#ifndef UNO_COLLECTIVE_H
#define UNO_COLLECTIVE_H

#include "collective/comm.h"
#include "collective/data.h"
#include "collective/reduction/reduction.h"
#include "collective/transport/block.h"

bool uno_barrier(struct uno_comm *c);
bool uno_bcast(struct uno_comm *c, void *at, size_t count, const struct uno_layout *layout, int root);

/* in: this rank's block; NULL: in the root, and in Allgather and Alltoall in all ranks, it is in its place in
 * `out`. out: where all blocks go, one after the other; NULL elsewhere than in the root. All blocks have the
 * same number of bytes. */
bool uno_gather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out, int root);
bool uno_allgather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out);
bool uno_alltoall(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out);

/* in: the blocks for all ranks; NULL elsewhere than in the root. out: where this rank's goes; NULL: in the
 * root, where it stays where it is. */
bool uno_scatter(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out, int root);

/* The same with blocks of different sizes; all but Allgatherv where uno_plan_passes (transport/plan.h) has
 * said false, if somebody else can do the operation. truncated: set if the root receives more than it
 * expected. */
bool uno_gatherv(struct uno_comm *c, const struct uno_data *in, const struct uno_varied *out, int root,
                 bool *truncated);
bool uno_allgatherv(struct uno_comm *c, const struct uno_data *in, const struct uno_varied *out);
bool uno_alltoallv(struct uno_comm *c, const struct uno_varied *in, const struct uno_varied *out);
/* Of packed bytes, a block for each rank; both may be the same. */
bool uno_alltoall_blocks(struct uno_comm *c, struct uno_block *send_of, struct uno_block *receive_of);
bool uno_scatterv(struct uno_comm *c, const struct uno_varied *in, const struct uno_data *out, int root);

/* in and out may be the same. */
bool uno_reduce(struct uno_comm *c, const void *in, void *out, size_t count, const struct uno_reduction *how,
                int root);
bool uno_allreduce(struct uno_comm *c, const void *in, void *out, size_t count,
                   const struct uno_reduction *how);
/* Of the ranks before this one, and if `inclusive` of this one. */
bool uno_scan(struct uno_comm *c, bool inclusive, const void *in, void *out, size_t count,
              const struct uno_reduction *how);
/* count: elements that each rank gets. */
bool uno_reduce_scatter_block(struct uno_comm *c, const void *in, void *out, size_t count,
                              const struct uno_reduction *how);
/* counts: elements that each rank gets; none of them is negative, nor larger than INT_MAX. */
bool uno_reduce_scatter(struct uno_comm *c, const void *in, void *out, const struct uno_counts *counts,
                        const struct uno_reduction *how);

#endif

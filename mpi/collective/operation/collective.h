/* The collective operations of ranks that are all on one node. Each returns true if it has done the work;
 * otherwise nothing has happened, on any rank, and the caller must do it in another way. All ranks of the
 * communicator call them, with arguments that the caller has checked.
 *
 * For ranks on several nodes see hierarchy/hierarchical.h. */

#ifndef UNO_COLLECTIVE_H
#define UNO_COLLECTIVE_H

#include "collective/comm.h"
#include "collective/data.h"
#include "collective/reduction/reduction.h"
#include "collective/transport/block.h"

bool uno_barrier(struct uno_comm *c);

/* A barrier of the host's own, under another signature. */
void uno_barrier_as(const struct uno_comm *c, unsigned signature);

bool uno_bcast(struct uno_comm *c, void *at, size_t count, const struct uno_layout *layout, int root);

/* in: this rank's block; NULL: in the root, and in Allgather and Alltoall in all ranks, the block is in its
 * place in `out`. out: room for all blocks, one after the other; NULL elsewhere than in the root. All blocks
 * have the same number of bytes. */
bool uno_gather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out, int root);
bool uno_allgather(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out);
bool uno_alltoall(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out);

/* in: the blocks for all ranks; NULL elsewhere than in the root. out: room for this rank's block; NULL: in
 * the root, where it stays in place. */
bool uno_scatter(struct uno_comm *c, const struct uno_data *in, const struct uno_data *out, int root);

/* As above, with blocks of different sizes; all but Allgatherv where uno_plan_passes (transport/plan.h) has
 * said false, if somebody else can do the operation. truncated: set if the root receives more than it
 * expected. */
bool uno_gatherv(struct uno_comm *c, const struct uno_data *in, const struct uno_varied *out, int root,
                 bool *truncated);
bool uno_allgatherv(struct uno_comm *c, const struct uno_data *in, const struct uno_varied *out);
bool uno_alltoallv(struct uno_comm *c, const struct uno_varied *in, const struct uno_varied *out);
/* Exchange packed bytes, a block for each rank; both arguments may be the same. */
bool uno_alltoall_blocks(struct uno_comm *c, struct uno_block *send_of, struct uno_block *receive_of);
bool uno_scatterv(struct uno_comm *c, const struct uno_varied *in, const struct uno_data *out, int root);

/* in and out may be the same. */
bool uno_reduce(struct uno_comm *c, const void *in, void *out, size_t count, const struct uno_reduction *how,
                int root);
bool uno_allreduce(struct uno_comm *c, const void *in, void *out, size_t count,
                   const struct uno_reduction *how);
/* Combine the elements of the ranks before this one, and if `inclusive` this rank's. */
bool uno_scan(struct uno_comm *c, bool inclusive, const void *in, void *out, size_t count,
              const struct uno_reduction *how);
/* count: elements that each rank gets. */
bool uno_reduce_scatter_block(struct uno_comm *c, const void *in, void *out, size_t count,
                              const struct uno_reduction *how);
/* counts: elements that each rank gets; none of them is negative, nor larger than INT_MAX. */
bool uno_reduce_scatter(struct uno_comm *c, const void *in, void *out, const struct uno_counts *counts,
                        const struct uno_reduction *how);

#endif

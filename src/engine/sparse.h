/* Parts of a job's memory that are large, and little of which is touched: mapped when they are first used. */

#ifndef UNO_SPARSE_H
#define UNO_SPARSE_H

#include "job.h"

enum { UNO_HUGE_PAGE = 2 << 20 };

/* For PEs of one process: zeros in a place of their own, mapped by whoever comes first. where: the address,
 * which the job holds; 0 before. NULL: there is no room. */
void *uno_sparse_private(uno_atomic64 *where, size_t size);

/* For PEs that are processes: `size` bytes of the memory that holds the job, from byte `at` on. It is a
 * second mapping of that memory, since the descriptor may be closed by now; it begins where a huge page may,
 * if `at` is a multiple of those. NULL: there is no room. */
void *uno_sparse_shared(struct uno_job *job, uint64_t at, size_t size);

#endif

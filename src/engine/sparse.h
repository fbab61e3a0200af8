/* Large parts of a job's memory, of which little is touched. They take addresses, too, and a process may have
 * few (ulimit -v, valgrind): so a PE maps no more of them than it uses, when it uses it. PEs that are
 * processes name such memory by its offset in the job's memory, which is the same for all; PEs of one process
 * by its address. */

#ifndef UNO_SPARSE_H
#define UNO_SPARSE_H

#include "pe.h"

enum {
    UNO_HUGE_PAGE = 2 << 20,
    UNO_MAP_STEP = 65536, /* the largest page size there is: mappings begin and end at multiples of it */
};

/* Return true if this process's addresses are limited (ulimit -v): the program may then need those that the
 * library would keep for later use. */
bool uno_sparse_few(void);

/* ---- for PEs of one process -------------------------------------------------------------------------- */

/* Return zeroed memory in a place of its own, mapped by the first caller. where: its address, held in the
 * job; 0 before. NULL: there is no room. */
void *uno_sparse_private(uno_atomic64 *where, size_t size);

/* Return zeroed memory that only this PE gives back. It begins at a huge page's boundary, if it is as large
 * as one. NULL: there is no room. */
char *uno_sparse_own(size_t size);

/* Leave memory that other PEs may still use: it stays until the job ends, when the maker of the job calls
 * uno_sparse_end. */
void uno_sparse_leave(struct uno_job *job, char *memory, size_t size);
void uno_sparse_end(struct uno_job *job);

/* ---- for PEs that are processes ---------------------------------------------------------------------- */

/* Map `size` bytes of the job's memory, from byte `at` on, a multiple of UNO_MAP_STEP. They begin at a huge
 * page's boundary, if `at` is a multiple of huge pages and they are as large as one. NULL: there is no room,
 * and errno says why. */
char *uno_sparse_map(const struct uno_pe *pe, uint64_t at, size_t size);

/* Give the system `size` bytes of the job's memory, from byte `at` on, both multiples of UNO_MAP_STEP.
 * Whoever reads them next reads zeros. Returns false if they stay as they are. */
bool uno_sparse_free(const struct uno_pe *pe, uint64_t at, size_t size);

/* The memory that this PE has mapped of other PEs' parts. All mappings show the same memory, so none is ever
 * out of date; and no address in them is kept beyond a call of the library. */
struct uno_span {
    char *address;
    uint64_t at;
    size_t bytes;
};

struct uno_spans {
    struct uno_span *span;
    size_t count, room;
};

/* Return the span that contains `bytes` bytes from byte `at` on. If there is none yet, map the bytes from
 * `from` to `end`, which contain them; or, if addresses are short, little more than the bytes themselves.
 * NULL: there is no room, and errno says why. */
const struct uno_span *uno_spans_reach(const struct uno_pe *pe, struct uno_spans *spans, uint64_t at,
                                       size_t bytes, uint64_t from, uint64_t end);

void uno_spans_drop(struct uno_spans *spans);

#endif

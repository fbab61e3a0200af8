/* Parts of a job's memory that are large, and little of which is touched. They take addresses, too, and a
 * process may have few (ulimit -v, valgrind): so a PE maps no more of them than it uses, when it uses it. The
 * PEs of a job that are processes name such memory by where it is in the job's memory, which is the same for
 * all; those of one process by its address. */

#ifndef UNO_SPARSE_H
#define UNO_SPARSE_H

#include "pe.h"

enum {
    UNO_HUGE_PAGE = 2 << 20,
    UNO_MAP_STEP = 65536, /* the largest page there is: what is mapped begins and ends at multiples of it */
};

/* Return true if this process's addresses are limited (ulimit -v): then the program may need those that the
 * library would keep for the next time. */
bool uno_sparse_few(void);

/* ---- for PEs of one process -------------------------------------------------------------------------- */

/* Zeros in a place of their own, mapped by whoever comes first. where: the address, which the job holds; 0
 * before. NULL: there is no room. */
void *uno_sparse_private(uno_atomic64 *where, size_t size);

/* Zeros that only this PE gives back; they begin where a huge page may, if they are as large as one. NULL:
 * there is no room. */
char *uno_sparse_own(size_t size);

/* Other PEs may use them still: they stay until the job ends, when whoever made it calls uno_sparse_end. */
void uno_sparse_leave(struct uno_job *job, char *memory, size_t size);
void uno_sparse_end(struct uno_job *job);

/* ---- for PEs that are processes ---------------------------------------------------------------------- */

/* `size` bytes of the memory that holds the job, from byte `at` on, a multiple of UNO_MAP_STEP. They begin
 * where a huge page may, if that is a multiple of those and they are as large as one. NULL: there is no room,
 * and errno says why. */
char *uno_sparse_map(const struct uno_pe *pe, uint64_t at, size_t size);

/* The memory that this PE has mapped of the others' parts. All of it shows the same memory, so it is never
 * out of date; and nobody keeps an address of it beyond a call of the library. */
struct uno_span {
    char *address;
    uint64_t at;
    size_t bytes;
};

struct uno_spans {
    struct uno_span *span;
    size_t count, room;
};

/* The span that has `bytes` bytes from byte `at` on. If there is none yet, it is of those from `from` to
 * `end`, which has them; or, if addresses are short, of little more than them. NULL: there is no room, and
 * errno says why. */
const struct uno_span *uno_spans_reach(const struct uno_pe *pe, struct uno_spans *spans, uint64_t at,
                                       size_t bytes, uint64_t from, uint64_t end);

void uno_spans_drop(struct uno_spans *spans);

#endif

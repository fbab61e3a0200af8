/* The elements of a reduction on their way: as they lie in memory, where a kernel combines them, or packed;
 * and in pieces, where they are many. */

#ifndef UNO_PIECES_H
#define UNO_PIECES_H

#include "collective/comm.h"
#include "collective/reduction/reduction.h"
#include "collective/transport/ring.h"
#include "collective/transport/staged.h"
#include "collective/transport/plan.h"

struct uno_pieces {
    struct uno_comm *c;
    enum uno_op op;
    const struct uno_reduction *how;
    size_t total;            /* bytes, as they are counted for the plan */
    struct uno_view in, out; /* elements as they travel, and as the result leaves */
};

/* The path of an operation in which each rank puts `count` elements; bytes: as the plan counts them. */
static inline enum uno_path uno_pieces_plan(const struct uno_comm *c, enum uno_op op, size_t bytes,
                                            size_t count, const struct uno_reduction *how) {
    enum uno_path path = uno_plan(c, op, bytes, count * how->bytes, UNO_ONE_BLOCK);
    return UNO_UNLIKELY(path == UNO_BY_STAGED && how->bytes > UNO_PIECE) ? UNO_BY_HOST : path;
}

/* Elements that a kernel combines travel as they lie in memory; others packed. */
static inline struct uno_view uno_pieces_raw(const void *at, size_t count, const struct uno_layout *layout) {
    return (struct uno_view){.bytes = (void *)at, .data = {(void *)at, count, layout}};
}

/* Begin: `count` elements of this rank's, and room for `results`, or for none where that is 0. */
static inline void uno_pieces_open(struct uno_pieces *p, const void *in, size_t count, void *out,
                                   size_t results) {
    const struct uno_layout *layout = p->how->layout;
    p->in = p->how->kernel ? uno_pieces_raw(in, count, layout) : uno_view_in(in, count, layout);
    p->out = (struct uno_view){0};
    if (results)
        p->out = p->how->kernel ? uno_pieces_raw(out, results, layout) : uno_view_out(out, results, layout);
}

/* End: the program gets so many results. */
static inline void uno_pieces_close(struct uno_pieces *p, size_t results) {
    uno_view_unpack(&p->out, 0, results);
    uno_view_drop(&p->in);
    uno_view_drop(&p->out);
}

/* Bytes of `count` elements as they travel: of the last one, only its data. */
static inline size_t uno_pieces_size(const struct uno_pieces *p, size_t count) {
    const struct uno_reduction *how = p->how;
    return count * how->bytes - (how->kernel ? (size_t)(how->layout->extent - how->layout->true_extent) : 0);
}

/* The elements of a piece. */
static inline size_t uno_pieces_step(const struct uno_pieces *p) {
    return UNO_PIECE / p->how->bytes;
}

/* A meeting: put elements [from, from + count) of this rank's, at most a piece. Returns those of all ranks,
 * valid until uno_slots_end. */
const void *const *uno_pieces_meet(struct uno_pieces *p, size_t from, size_t count);

/* One result, in the ranks with room for it, which is then in p->out.bytes. Where that pays each rank
 * combines a part of the elements for all. */
void uno_pieces_reduce(struct uno_pieces *p, size_t count);

/* Elements of one rank by a ring, wherever they may be put. */
struct uno_pieces_small {
    _Alignas(16) char bytes[UNO_RINGS_BYTES];
};

#endif

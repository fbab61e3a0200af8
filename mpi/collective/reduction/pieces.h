/* The elements of a reduction on their way through an operation: as they lie in memory, where a kernel
 * combines them, or packed; and cut into pieces, where they are many. */

#ifndef UNO_PIECES_H
#define UNO_PIECES_H

#include "collective/comm.h"
#include "collective/reduction/reduction.h"
#include "collective/transport/ring.h"
#include "collective/transport/staged.h"
#include "collective/transport/plan.h"
#include "collective/transport/unit.h"

struct uno_pieces {
    struct uno_comm *c;
    enum uno_op op;
    const struct uno_reduction *how;
    size_t total;                 /* bytes, as the plan counts them */
    const char *in;               /* elements as they travel */
    char *out;                    /* the result as it travels; NULL: this rank gets none */
    void *packed_in, *packed_out; /* copies, for a type that is not packed in memory; NULL: none */
    void *program_out;            /* the program's memory for packed_out */
    bool by_unit;                 /* the pieces go by the unit, otherwise by slots and buffers */
    bool keeps;                   /* nobody else reads this rank's elements: they stay in place */
};

/* Return the path of an operation in which each rank puts `count` elements. bytes: as the plan counts
 * them. */
static inline enum uno_path uno_pieces_plan(struct uno_comm *c, enum uno_op op, size_t bytes, size_t count,
                                            const struct uno_reduction *how) {
    enum uno_path path = uno_plan(c, op, bytes, count * how->bytes, UNO_ONE_BLOCK);
    if (UNO_UNLIKELY(path == UNO_BY_UNIT && how->bytes > UNO_BYTES))
        path = c->apart ? UNO_BY_HOST : uno_plan_large(c, op, count * how->bytes, UNO_ONE_BLOCK);
    bool large = uno_path_is_large(path);
    return UNO_UNLIKELY(large && how->bytes > UNO_PIECE) ? UNO_BY_HOST : path;
}

/* Return true if the elements fit into one post, directly from the program's memory to the result. */
static inline bool uno_pieces_are_post(enum uno_path path, const struct uno_reduction *how) {
    return path == UNO_BY_SLOTS && how->kernel && how->bytes == how->layout->size;
}

/* The parts of opening and closing that need copies. */
void uno_pieces_pack(struct uno_pieces *p, const void *in, size_t count, void *out, size_t results);
void uno_pieces_unpack(struct uno_pieces *p, size_t results);

/* Open: `count` elements of this rank, and room for `results`, or for none where that is 0. Elements that a
 * kernel combines travel as they lie in memory; others packed. */
static inline void uno_pieces_open(struct uno_pieces *p, const void *in, size_t count, void *out,
                                   size_t results) {
    p->in = in;
    p->out = results ? out : NULL;
    if (UNO_UNLIKELY(!p->how->kernel && !p->how->layout->plain))
        uno_pieces_pack(p, in, count, out, results);
}

/* Close: give the program its results. */
static inline void uno_pieces_close(struct uno_pieces *p, size_t results) {
    if (UNO_UNLIKELY(p->packed_in))
        uno_pieces_unpack(p, results);
}

/* Return the bytes of `count` elements as they travel; the last one has only its data. */
static inline size_t uno_pieces_size(const struct uno_reduction *how, size_t count) {
    return count * how->bytes - (how->kernel ? (size_t)(how->layout->extent - how->layout->true_extent) : 0);
}

/* Return the elements of one piece. */
static inline size_t uno_pieces_step(const struct uno_pieces *p) {
    return (p->by_unit ? UNO_BYTES : UNO_PIECE) / p->how->bytes;
}

/* Meet: put elements [from, from + count) of this rank, at most a piece. Returns those of all ranks, valid
 * until uno_pieces_end. */
static inline const void *const *uno_pieces_meet(struct uno_pieces *p, size_t from, size_t count) {
    const char *in = p->in + from * p->how->bytes;
    size_t size = uno_pieces_size(p->how, count);
    if (p->by_unit)
        return uno_unit_meet(p->c, p->op, p->total, in, size, size, -1);
    if (count * p->how->bytes <= UNO_BYTES)
        return uno_slots_meet(p->c, p->op, p->total, in, size);
    if (!p->keeps)
        memcpy(uno_staged_room(p->c), in, size);
    uno_staged_meet(p->c, p->op, p->total);
    const void *const *data = uno_staged_of_all(p->c);
    if (p->keeps)
        p->c->data[p->c->rank] = in;
    return data;
}

static inline void uno_pieces_end(const struct uno_pieces *p) {
    if (p->by_unit)
        uno_unit_end(p->c);
    else
        uno_slots_end(p->c);
}

/* Return true if an element is small enough for uno_pieces_read. All ranks get the same answer. */
static inline bool uno_pieces_may_read(const struct uno_pieces *p) {
    return p->how->bytes <= UNO_PIECE / (size_t)p->c->size;
}

/* Read the other ranks' elements straight from their memory, as in direct.h, and combine them, in the one
 * rank with room for a result. Of two ranks the other one combines a part of large data, and writes it to its
 * place. Returns how many of the `count` elements are done; if not all, some rank could not read or write,
 * and all ranks know it. */
size_t uno_pieces_read(struct uno_pieces *p, size_t count);

/* Return the first element of the part of `count` elements that rank r combines for all; r: or the number of
 * ranks, for the end of the last part. */
static inline size_t uno_pieces_part(const struct uno_pieces *p, size_t count, int r) {
    return count * (size_t)r / (size_t)p->c->size;
}

/* Return true if each rank may combine a part of the elements for all of them by uno_pieces_combine: the
 * copies of its results write no gaps between elements. */
static inline bool uno_pieces_may_combine(const struct uno_pieces *p) {
    return uno_pieces_may_read(p) && p->how->bytes == p->how->layout->size;
}

/* Combine elements [first, first + count) of all ranks, read straight from their memory as in direct.h, to
 * `out`, where no rank's elements lie; the other ranks combine other elements meanwhile. False: some rank
 * could not read, and all ranks know it. */
bool uno_pieces_combine(struct uno_pieces *p, size_t first, size_t count, char *out);

/* Reduce to p->out, in each rank with room for a result. Where that pays each rank combines a part of the
 * elements for all. */
void uno_pieces_reduce(struct uno_pieces *p, size_t count);

/* Room for the elements of one rank that came by a ring. */
struct uno_pieces_small {
    _Alignas(16) char bytes[UNO_RINGS_BYTES];
};

#endif

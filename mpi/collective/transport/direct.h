/* Large blocks are copied once: whoever wants one reads it straight from the other rank's memory, where the
 * system allows that.
 *
 *     uno_single_begin(c, op, bytes, own, at);
 *     ... read &= uno_single_read(c, r, at[r] + ..., to, n) ...
 *     if (!uno_single_end(c, op, bytes, read)) ... in pieces, from the beginning
 *
 * Both ends are operations of the engine; nobody may write what others read before the second. A process can
 * take the permission back at any time (prctl, setuid), so all ranks tell at the second whether they have
 * read everything. If one has not, all of them know it, and the communicator does without from then on. */

#ifndef UNO_SINGLE_H
#define UNO_SINGLE_H

#include "accelerator/host/comm.h"

/* Bytes from which blocks are large. */
#define UNO_SINGLE ((size_t)16 * 1024)

/* Of the process; the same at all ranks of the node. */
extern bool uno_single_allowed;

/* Find out whether the ranks of the node may read from each other. */
void uno_single_start(MPI_Comm comm);

/* Whether blocks of so many bytes may go this way. Small ones do not: that takes calls of the system. */
static inline bool uno_single_may(const struct uno_comm *c, size_t bytes) {
    return bytes >= UNO_SINGLE && uno_single_allowed && !c->past->unreadable;
}

/* The largest power of two in so many bytes. */
static inline unsigned uno_single_power(size_t bytes) {
    return bytes >> 31 ? 31 : 31 - (unsigned)__builtin_clz((unsigned)bytes | 1);
}

/* Whether they do, and not in pieces of `piece` bytes: as ways.h has found, or with more ranks than
 * processors those of several pieces, since it takes two operations. */
static inline bool uno_single_takes(const struct uno_comm *c, enum uno_op op, size_t bytes, size_t piece) {
    return uno_single_may(c, bytes) &&
           (uno_node.crowded ? bytes > piece
                             : !(c->past->way[op - UNO_MPI_FIRST].pieces >> uno_single_power(bytes) & 1));
}

/* Whether they and all larger ones do, where it is not yet known which is the largest. */
static inline bool uno_single_takes_from(const struct uno_comm *c, enum uno_op op, size_t bytes,
                                         size_t piece) {
    return uno_single_may(c, bytes) &&
           (uno_node.crowded ? bytes > piece
                             : !(c->past->way[op - UNO_MPI_FIRST].pieces >> uno_single_power(bytes)));
}

/* Tell the others where this rank's data lie. at: room for what each rank says. */
void uno_single_begin(const struct uno_comm *c, enum uno_op op, size_t total, const char *own,
                      const char **at);
/* False: it cannot be read, and `to` may hold a part of it. */
bool uno_single_read(const struct uno_comm *c, int r, const char *from, char *to, size_t bytes);
/* read: whether this rank has read all that it wanted. Returns whether all ranks have. */
bool uno_single_end(const struct uno_comm *c, enum uno_op op, size_t total, bool read);

#endif

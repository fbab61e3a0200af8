/* Large blocks are copied once: whoever wants one reads it straight from the other rank's memory, where the
 * system allows that.
 *
 *     uno_single_begin(c, op, bytes, own, at);
 *     ... uno_single_read(c, r, at[r] + ..., to, n) ...
 *     uno_single_end(c, op, bytes);
 *
 * Both ends are operations of the engine; nobody may write what others read before the second. */

#ifndef UNO_SINGLE_H
#define UNO_SINGLE_H

#include "comm.h"

/* Of the process; the same at all ranks of the node. */
extern bool uno_single_allowed;

/* Find out whether the ranks of the node may read from each other. */
void uno_single_start(MPI_Comm comm);

/* Whether blocks of so many bytes go this way, and not in pieces of `piece` bytes. Small ones do not: that
 * takes calls of the system. Nor with more ranks than processors those of one piece: it takes two operations.
 */
static inline bool uno_single_takes(size_t bytes, size_t piece) {
    return bytes > (size_t)16 * 1024 && uno_single_allowed && (!uno_node.crowded || bytes > piece);
}

/* Tell the others where this rank's data lie. at: room for what each rank says. */
void uno_single_begin(const struct uno_comm *c, enum uno_op op, size_t total, const char *own,
                      const char **at);
void uno_single_read(const struct uno_comm *c, int r, const char *from, char *to, size_t bytes);
void uno_single_end(const struct uno_comm *c, enum uno_op op, size_t total);

#endif

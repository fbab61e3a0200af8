/* Memory of another PE that is a process of its own: copied to and from by the kernel, where it allows
 * that. Whoever wants it, a message or an exchange, decides here.
 *
 * A try finds out for each pair of PEs if it does, when it is first wanted; once it refuses, it is never
 * tried again for that pair. Nobody may rely on it: what cannot be copied in this way goes in pieces, by
 * memory that all share. */

#ifndef UNO_REACH_H
#define UNO_REACH_H

#include "pe.h"

/* Show the others a word of this PE's own memory, by which they see whether they reach that: the process id
 * of one that runs in another container names a stranger here, or nobody. Before it is seen to have joined.
 */
void uno_reach_start(struct uno_pe *pe);

/* Returns true if it is worth while to try. */
bool uno_reach_allowed(struct uno_pe *pe, int k);

/* Returns true if none of the PEs of its group has been refused to this one so far. */
bool uno_reach_group(const struct uno_pe *pe);

/* Copy to the memory of PE k, or from it; which has asked for it, and waits. False: not all of it was copied,
 * and nothing there may be relied on. */
bool uno_reach_write(struct uno_pe *pe, int k, uint64_t to, const void *data, size_t bytes);
bool uno_reach_read(struct uno_pe *pe, int k, uint64_t from, void *data, size_t bytes);

#endif

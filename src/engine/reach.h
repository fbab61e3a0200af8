/* Memory of a PE in another process: the kernel copies to it and from it, where it allows that. Messages and
 * exchanges that want such a copy ask here.
 *
 * The first use for each pair of PEs is a try; once the kernel refuses, it is never tried again for that
 * pair. No caller may rely on the copy: what cannot be copied in this way goes in pieces, through shared
 * memory. */

#ifndef UNO_REACH_H
#define UNO_REACH_H

#include "pe.h"

/* Publish a word of this PE's own memory, by which other PEs check that they reach the right process: the
 * process id of a PE in another container names a stranger here, or nobody. Called before the PE is seen to
 * have joined. */
void uno_reach_start(struct uno_pe *pe);

/* Return true if a copy from or to PE k is worth trying. */
bool uno_reach_allowed(struct uno_pe *pe, int k);

/* Return true if no PE of the group has been refused to this one so far. */
bool uno_reach_group(const struct uno_pe *pe);

/* Copy to the memory of PE k, or from it; PE k has asked for it and waits. False: not everything was copied,
 * and the content is undefined. */
bool uno_reach_write(struct uno_pe *pe, int k, uint64_t to, const void *data, size_t bytes);
bool uno_reach_read(struct uno_pe *pe, int k, uint64_t from, void *data, size_t bytes);

/* Return true if a copy has failed because the process of PE k was gone. */
bool uno_reach_gone(const struct uno_pe *pe, int k);

#endif

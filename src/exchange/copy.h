/* Copies of more than the caches hold. */

#ifndef UNO_EXCHANGE_COPY_H
#define UNO_EXCHANGE_COPY_H

#include <stddef.h>

/* How to copy: as memcpy. */
typedef void *uno_copy(void *to, const void *from, size_t bytes);

/* memcpy that leaves the caches alone: whole lines are written straight to memory, which neither reads them
 * before nor throws other lines out. What it wrote is visible to who meets this PE afterwards. */
uno_copy uno_copy_past;

/* How to copy a part of an exchange in which this PE receives so many bytes: past the caches if the one that
 * is its own, of the second level, cannot hold them for whoever reads them next. */
uno_copy *uno_copy_for(size_t received);

#endif

/* Complete reads and writes of some bytes of a file. */

#ifndef UNO_BYTES_H
#define UNO_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Read so many bytes at a place of the file, fewer if the file ends before. *got: the bytes read. Returns 0
 * or -errno. */
int uno_file_get(int file, void *to, size_t bytes, uint64_t at, size_t *got);

/* Write so many bytes at a place of the file. Returns 0 or -errno. */
int uno_file_put(int file, const void *from, size_t bytes, uint64_t at);

#endif

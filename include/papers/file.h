/* papers/file.h - files that all PEs of a group read and write together.
 *
 * Every function is a collective operation of the current group of papers.h, as p_wait is: every member calls
 * it, and none returns before all have. An open file has one position, which all members share. Each member
 * has a part of any size, 0 too, and the parts follow each other in PE order from that position on.
 *
 *     int f = p_open("squares", "w");
 *     p_write(f, part, bytes_of_my_part);
 *     if (p_close(f) < 0 && p_enumerate() == 0)
 *         fprintf(stderr, "%s\n", p_fileError());
 *
 * A function that fails does so at every member alike: it returns the same -errno everywhere, and
 * p_fileError() says which PE met the error. Small parts are gathered and read ahead, as stdio does: they may
 * reach the file only at p_close or p_seek, and the first call after an error reports it.
 *
 * A group may have members on several machines, if all find the same file under its path, and each sees at
 * once what another one has written. Small parts are not gathered then, and an unfinished file of mode "w"
 * has a name beside its own. */

#ifndef PAPERS_FILE_H
#define PAPERS_FILE_H

#include <papers.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Open a file for the current group, at position 0; path and mode are the same at all members. Modes:
 *
 *     "r"     read a file that exists
 *     "r+"    read and write a file that exists, in place
 *     "w"     write a new file, and read what was written. It replaces an existing file of that name only
 *             when p_close has returned 0; if a PE is killed before, nothing of it is left.
 *
 * Returns the file's number for the other functions, 0 or more; or -errno. */
int p_open(const char *path, const char *mode);

/* Read the next bytes, each member its part, of at most `bytes` bytes. Returns the bytes of its part that
 * this member received: fewer than it asked for, down to 0, only at the end of the file. The position moves
 * by the bytes of all members. On an error it returns -errno, the position stays, and the content of data is
 * undefined. */
int64_t p_read(int file, void *data, size_t bytes);

/* Write the next bytes, each member its part, of `bytes` bytes. Returns `bytes`, or -errno. After an error
 * nothing more can be written: every further p_write and p_close returns the same error. */
int64_t p_write(int file, const void *data, size_t bytes);

/* Move the position by `offset` bytes from the beginning (whence SEEK_SET), the position (SEEK_CUR) or the
 * end of the file (SEEK_END); both arguments are the same at all members. All earlier writes are in the file
 * then. Returns the new position, or -errno. */
int64_t p_seek(int file, int64_t offset, int whence);

/* Close the file. Returns 0, or -errno if not all writes are in the file: a file of mode "w" is dropped then,
 * and the file that had its name before still has it. After a success the file is complete for every other
 * program, but the system writes it to the disk at a time of its own. A file that is open when a PE checks
 * out is dropped, too. */
int p_close(int file);

/* Return this PE's last error among these functions: "squares: cannot write it: PE 2: No space left on
 * device"; "" if there was none. Local: it does not synchronize. The text is valid until the next error. */
const char *p_fileError(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

/* papers/file.h - files that all PEs of a group read and write together.
 *
 * Every function is a collective operation of the current group of papers.h, as p_wait is: every member calls
 * it, and none returns before all have. An open file has one position, which all members share. Each member
 * brings a part of any size, 0 too, and the parts follow each other in PE order from that position on.
 *
 *     int f = p_open("squares", "w");
 *     p_write(f, part, bytes_of_my_part);
 *     if (p_close(f) < 0 && p_enumerate() == 0)
 *         fprintf(stderr, "%s\n", p_fileError());
 *
 * A function that fails does so at every member alike: it returns the same -errno everywhere, and
 * p_fileError() says which PE met the error. Small parts are gathered and read ahead, as stdio does: they may
 * reach the file only at p_close or p_seek, and an error in that is told by the first call after it. */

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
 *     "r+"    read and write one that exists, where it is
 *     "w"     write a file anew, and read what was written: it has its name, and replaces what had it, only
 *             when p_close has returned 0. Until then it has no name, and if a PE is killed it never was.
 *
 * Returns its number, 0 or more, by which the group uses it; or -errno. */
int p_open(const char *path, const char *mode);

/* Read the next bytes, each member its part. Returns how many bytes of its part this member received: fewer
 * than it asked for, down to 0, only at the end of the file. The position moves by the bytes of all members.
 * Or returns -errno, and then the position stays, and what has been read is not known. */
int64_t p_read(int file, void *data, size_t bytes);

/* Write the next bytes, each member its part. Returns `bytes`, or -errno. After an error nothing more can be
 * written: every further p_write and p_close returns the same. */
int64_t p_write(int file, const void *data, size_t bytes);

/* Move the position by `offset` bytes from the beginning (whence SEEK_SET), the position (SEEK_CUR) or the
 * end of the file (SEEK_END); both are the same at all members. What was written is in the file then. Returns
 * the new position, or -errno. */
int64_t p_seek(int file, int64_t offset, int whence);

/* Close it. Returns 0, or -errno if not all that was written is in the file: one that was to be written anew
 * is forgotten then, and what had its name before has it still. The file is whole for every other program,
 * but the system writes it to the disk when it likes. A file that is open when a PE checks out is forgotten,
 * too. */
int p_close(int file);

/* What failed last at this PE, among these functions: "squares: cannot write it: PE 2: No space left on
 * device". Local: does not synchronize. Valid until the next that fails. "": nothing has. */
const char *p_fileError(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

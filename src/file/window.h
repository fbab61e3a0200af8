/* The window of a file: memory shared by all members of its group, into and out of which each copies its own
 * small pieces. So few large system calls carry many small pieces, and an operation takes one meeting.
 *
 * For writing there are two halves. When one is full its pieces are all there, since every member has come to
 * the next operation; the first member writes it to the file, and all go on in the other half. That one is
 * free: the first member had written it before it came here. */

#ifndef UNO_FILE_WINDOW_H
#define UNO_FILE_WINDOW_H

#include "local.h"

/* Bytes of a half, and of the largest piece that goes through the window. */
enum { UNO_WINDOW = 1 << 20, UNO_WINDOW_PIECE = 16 * 1024 };

/* Return true if pieces of these sizes go through the window, and make the window if it does not exist. All
 * members call this, and get the same answer. */
bool uno_window_takes(struct uno_pe *pe, struct uno_file *file, const struct uno_file_seen *pieces);

/* Copy this member's piece into the window. pieces: the outcome of the meeting just before. An error of
 * writing is kept in window->error. */
void uno_window_write(struct uno_pe *pe, struct uno_file *file, const void *data,
                      const struct uno_file_seen *pieces);
/* Copy this member's piece out of the window. *read: the bytes read. All members meet if data have to be read
 * from the file. */
void uno_window_read(struct uno_pe *pe, struct uno_file *file, void *data, const struct uno_file_seen *pieces,
                     struct uno_file_seen *read);

/* Write the window to the file. All members call this after a meeting; the data are in the file once the
 * first member has returned. Its error is kept in window->error. */
void uno_window_flush(struct uno_pe *pe, struct uno_file *file);

/* Free the window's memory, when no member uses it any more. */
void uno_window_free(struct uno_pe *pe, struct uno_file *file);

#endif

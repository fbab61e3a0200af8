/* The part of a file through which its group reads and writes small pieces: in memory that all members reach,
 * where each copies its own pieces to, or from, by itself. So few large calls of the system carry many small
 * pieces, and an operation takes one meeting.
 *
 * To write there are two halves. When one is full its pieces are all there, for every member has come to the
 * next operation since; the first member writes it to the file, and all go on in the other half. That one is
 * free: the first member had written it before it came here. */

#ifndef UNO_FILE_WINDOW_H
#define UNO_FILE_WINDOW_H

#include "local.h"

/* Bytes of a half, and of the largest piece that goes by the window. */
enum { UNO_WINDOW = 1 << 20, UNO_WINDOW_PIECE = 16 * 1024 };

/* Whether pieces go by the window, by what all members bring; makes it for the first time. All decide alike.
 */
bool uno_window_takes(struct uno_pe *pe, struct uno_file *file, const struct uno_file_seen *pieces);

/* This member's piece. pieces: by the meeting just before. An error of writing is kept in window->error. */
void uno_window_write(struct uno_pe *pe, struct uno_file *file, const void *data,
                      const struct uno_file_seen *pieces);
/* *read: what was read. All members meet if something has to be read from the file. */
void uno_window_read(struct uno_pe *pe, struct uno_file *file, void *data, const struct uno_file_seen *pieces,
                     struct uno_file_seen *read);

/* After a meeting, by all members: what the window has is in the file once the first has returned. Its error
 * is kept in window->error. */
void uno_window_flush(struct uno_pe *pe, struct uno_file *file);

/* Give its memory back, when nobody uses it any more. */
void uno_window_free(struct uno_pe *pe, struct uno_file *file);

#endif

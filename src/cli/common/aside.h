/* A file that appears under its name only when it is complete. Errors are reported by messages, and a signal
 * that ends the command removes the file too. */

#ifndef UNO_ASIDE_H
#define UNO_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/aside.h"

struct aside {
    const char *teller; /* begins messages: "unisono sort" */
    struct uno_aside as;
};

/* Open a file of so many bytes that is to become `path`, on the same file system. If there is such a file
 * already, the new one takes over its permissions; if `path` is a symbolic link, the file that it points to
 * is replaced. Returns false, after a message, if there is no room for the file, or `path` is something else
 * than a file. */
bool aside_open(struct aside *aside, const char *teller, const char *path, uint64_t bytes);

/* Give the file a name beside its path at once, by which processes on other machines open it
 * (uno_aside_join): *name tells which. Also an end of this process by exit() removes it then. Returns false,
 * after a message, if that fails: then nothing is left of the file. */
bool aside_show(struct aside *aside, uint64_t *name);

/* Make the written data safe on the disk, and give the file its name. Returns false, after a message, if that
 * fails: then nothing is left of the file. */
bool aside_finish(struct aside *aside);

/* Remove the file, with all that was written. */
void aside_drop(struct aside *aside);

#endif

/* A file that comes into being under its name at once, when it is whole: with messages, and gone by a signal,
 * too. */

#ifndef UNO_ASIDE_H
#define UNO_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/aside.h"

struct aside {
    const char *teller; /* begins messages: "unisono sort" */
    struct uno_aside as;
};

/* A file of so many bytes that is to become `path`, on the same file system. If there is such a file already,
 * this one takes over its permissions; if that is a symbolic link, what it points to is replaced. Says what
 * is wrong, and returns false, if there is no room for it, or `path` is something else than a file. */
bool aside_open(struct aside *aside, const char *teller, const char *path, uint64_t bytes);

/* What was written is safe on the disk, and has its name. False: it says why not, and there is nothing left
 * of it. */
bool aside_finish(struct aside *aside);

/* Forget what was written. */
void aside_drop(struct aside *aside);

#endif

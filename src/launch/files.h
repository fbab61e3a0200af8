/* The files into which the output of PEs goes, instead of the launcher's own. */

#ifndef UNO_FILES_H
#define UNO_FILES_H

#include <stdbool.h>

#include "request.h"

/* Return true if PEs' output (which = 0) or errors (1) go into files. */
bool uno_files_wanted(const struct uno_launch *launch, int which);

/* Open the file of PE k. Returns a descriptor, or -1 after a message. */
int uno_files_open(const struct uno_launch *launch, int k, int which);

/* Make the folder of --out. Returns false after a message. */
bool uno_files_folder(const struct uno_launch *launch);

#endif

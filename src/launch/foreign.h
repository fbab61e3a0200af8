/* Processes of a job that have loaded another MPI library than the job's: each is a job of one rank then. */

#ifndef UNO_FOREIGN_H
#define UNO_FOREIGN_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum { UNO_FOREIGN_PATH = 256 };

struct uno_foreign {
    pid_t process;
    char library[UNO_FOREIGN_PATH]; /* the file */
};

/* Look at this process and those below it. own: the folder of the job's MPI library. Whether one has loaded
 * an MPI library from elsewhere, and has not been started by a launcher of that. */
bool uno_foreign_look(pid_t process, const char *own, struct uno_foreign *found);

/* The library of that name in the folder, or the folder beside it for other ABIs. Returns path, or NULL:
 * there is none. */
const char *uno_foreign_own(const struct uno_foreign *found, const char *own, char path[PATH_MAX]);

#endif

#include "count.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cli/common/here.h"
#include "cli/mpi/launcher.h"
#include "parts.h"

/* Find each part's program, since qemu does not look for it in PATH. Returns NULL, or why that cannot be. */
static const char *find_programs(struct uno_launch *launch) {
    static char why[PATH_MAX + 64];
    char path[PATH_MAX];
    for (int i = 0; i < launch->parts; i++) {
        char **program = &launch->part[i].argv[0];
        if (!mpi_find_file(*program, NULL, path)) {
            snprintf(why, sizeof why, "cannot find the program %s", *program);
            return why;
        }
        *program = realpath(path, NULL);
        if (!*program)
            return "no memory for the command line";
    }
    return NULL;
}

const char *count_parts(struct uno_launch *launch, char ***lists) {
    static char emulator[32 + sizeof(struct utsname)], plugin[PATH_MAX], path[PATH_MAX];
    struct utsname machine;
    uname(&machine);
    snprintf(emulator, sizeof emulator, "qemu-%s", machine.machine);
    if (!mpi_find_file(emulator, NULL, path))
        return "it needs qemu's user mode (Debian, Ubuntu: qemu-user)";
    const char *why = find_programs(launch);
    if (why)
        return why;
    here_path(plugin, sizeof plugin, UNO_LIBEXEC, "count.so");
    /* An instruction of x86 that repeats counts each byte of a long copy; the C library takes others where
     * the processor does not say that it is fast. */
    bool repeats = strcmp(machine.machine, "x86_64") == 0;
    char *const front[] = {path, "-plugin", plugin, repeats ? "-cpu" : NULL, "max,-erms", NULL};
    *lists = parts_front(launch, front);
    return *lists ? NULL : "no memory for the command line";
}

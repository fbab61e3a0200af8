/* unisono bench: becomes the benchmark's driver, a program of its own beside the workers that it starts. */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common/here.h"

int command_bench(int argc, char **argv) {
    char path[PATH_MAX];
    (void)argc;
    here_path(path, sizeof path, UNO_LIBEXEC, "bench");
    execv(path, argv);
    fprintf(stderr, "unisono bench: cannot run %s: %s\n", path, strerror(errno));
    return EXIT_FAILURE;
}

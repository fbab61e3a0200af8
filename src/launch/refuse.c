#include "refuse.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exit.h"
#include "spawn.h"

int uno_refuse(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "unisono run: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    return status;
}

/* A name that is not in PATH may be that of a file in this folder, as of a script. */
static const char *found_here(const char *program) {
    struct stat st;
    if (stat(program, &st) || !S_ISREG(st.st_mode))
        return "";
    return access(program, X_OK)
               ? "; there is a file of this name in this folder: say which program runs it, "
                 "as in python3 x.py"
               : "; there is a program of this name in this folder: put ./ before it";
}

/* The same for a file that may not be executed. */
static const char *not_executable(const char *program) {
    struct stat st;
    if (stat(program, &st))
        return "";
    if (S_ISDIR(st.st_mode))
        return "; it is a folder";
    return access(program, X_OK)
               ? "; it is not executable: say which program runs it, as in python3 x.py, or "
                 "make it executable (chmod +x)"
               : "";
}

int uno_refuse_program(const struct uno_part *part, int k, const char *what, int error) {
    const char *program = part->argv[0];
    bool path = strchr(program, '/');
    if (what == UNO_SPAWN_FOLDER)
        return uno_refuse(EXIT_FAILURE, "PE %d: %s %s: %s", k, what, part->folder, strerror(error));
    if (what)
        return uno_refuse(EXIT_FAILURE, "PE %d: %s: %s", k, what, strerror(error));
    if (error == ENOENT && path && access(program, F_OK) == 0)
        return uno_refuse(UNO_EXIT_NOT_EXECUTABLE, "cannot run %s: its interpreter does not exist", program);
    if (error == ENOENT || error == ENOTDIR)
        return uno_refuse(UNO_EXIT_NOT_FOUND, "cannot find the program %s%s%s", program,
                          path ? "" : " in PATH", path ? "" : found_here(program));
    return uno_refuse(UNO_EXIT_NOT_EXECUTABLE, "cannot run %s: %s%s", program, strerror(error),
                      error == EACCES ? not_executable(program) : "");
}

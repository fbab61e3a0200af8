#define _GNU_SOURCE
#include "debug.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/here.h"
#include "cli/mpi/launcher.h"
#include "engine/job.h"
#include "parts.h"

enum { LIST = UNO_MAX_PES * 6 + 1 /* letters of " 16383" for each PE */ };

/* Write out the numbers of a list with ranges, such as 0,2-4, with blanks between them; text NULL: of all n
 * PEs. Returns false if it is no such list, or has other numbers than those of PEs. */
static bool write_list(char out[LIST], const char *text, int n) {
    bool named[UNO_MAX_PES] = {false};
    for (const char *at = text ? text : "";; at++) {
        char *end;
        long first = text ? strtol(at, &end, 10) : 0, last = text ? first : n - 1;
        if (text && end == at)
            return false;
        if (text && *end == '-') {
            const char *after = end + 1;
            last = strtol(after, &end, 10);
            if (end == after)
                return false;
        }
        if (first < 0 || last < first || last >= n)
            return false;
        for (long k = first; k <= last; k++)
            named[k] = true;
        if (!text || !*end)
            break;
        if (*end != ',')
            return false;
        at = end;
    }
    *out = 0;
    for (int k = 0, length = 0; k < n; k++)
        if (named[k])
            length += sprintf(out + length, length ? " %d" : "%d", k);
    return true;
}

/* Return the program that can show gdb to the user: tmux, if this command runs in it, or that of a terminal.
 * NULL: there is none. */
static const char *find_terminal(void) {
    static const char *const terminals[] = {"x-terminal-emulator", "xterm"};
    char path[PATH_MAX];
    if (getenv("TMUX") && mpi_find_file("tmux", NULL, path))
        return "tmux";
    for (size_t i = 0;
         (getenv("DISPLAY") || getenv("WAYLAND_DISPLAY")) && i < sizeof terminals / sizeof *terminals; i++)
        if (mpi_find_file(terminals[i], NULL, path))
            return terminals[i];
    return NULL;
}

const char *debug_parts(struct uno_launch *launch, const char *list, char ***lists) {
    static char named[LIST], script[PATH_MAX], path[PATH_MAX];
    const char *terminal = find_terminal();
    if (!write_list(named, list, launch->n))
        return "its value is a list of PEs of this job, as in --debug=0,2-3";
    if (!mpi_find_file("gdb", NULL, path))
        return "there is no gdb in PATH";
    if (!terminal)
        return "it opens panes of tmux, or windows of x-terminal-emulator or xterm: "
               "start it inside of tmux, or where DISPLAY is set";
    here_path(script, sizeof script, UNO_LIBEXEC, "debug");
    char *const front[] = {script, (char *)terminal, named, NULL};
    *lists = parts_front(launch, front);
    return *lists ? NULL : "no memory for the command line";
}

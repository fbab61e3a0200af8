#include "process.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool uno_process_look(pid_t pid, char *state, pid_t *parent) {
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0)
        return false;
    text[length] = 0;
    /* "12 (name) S 1 ...", and the name may hold anything, a parenthesis too */
    const char *end = strrchr(text, ')');
    int up;
    if (!end || sscanf(end + 1, " %c %d", state, &up) != 2)
        return false;
    *parent = up;
    return true;
}

bool uno_process_below(pid_t pid, pid_t other) {
    char state;
    while (pid > 1 && pid != other)
        if (!uno_process_look(pid, &state, &pid))
            return false;
    return pid == other;
}

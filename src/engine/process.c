#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A set of signals in /proc/PID/status, by its name. */
static uint64_t signals(const char *text, const char *name) {
    const char *line = strstr(text, name);
    return line ? strtoull(line + strlen(name), NULL, 16) : 0;
}

enum uno_stop uno_process_stop(pid_t pid) {
    static const uint64_t always = UINT64_C(1) << (SIGSTOP - 1),
                          unless_caught = UINT64_C(1) << (SIGTSTP - 1) | UINT64_C(1) << (SIGTTIN - 1) |
                                          UINT64_C(1) << (SIGTTOU - 1);
    char path[32], text[4096];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[length < 0 ? 0 : length] = 0;
    const char *state = strstr(text, "\nState:\t");
    bool stopped = state && (state[8] == 'T' || state[8] == 't');
    uint64_t other = signals(text, "\nSigBlk:") | signals(text, "\nSigIgn:") | signals(text, "\nSigCgt:");
    uint64_t pending = signals(text, "\nSigPnd:") | signals(text, "\nShdPnd:");
    bool anew = pending & (always | (unless_caught & ~other));
    return stopped ? (anew ? UNO_HALTED_ANEW : UNO_HALTED) : anew ? UNO_TO_HALT : UNO_GOING;
}

bool uno_process_below(pid_t pid, pid_t other) {
    char state;
    while (pid > 1 && pid != other)
        if (!uno_process_look(pid, &state, &pid))
            return false;
    return pid == other;
}

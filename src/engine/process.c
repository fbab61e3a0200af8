#define _GNU_SOURCE
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
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

/* ---- what /proc/PID/status says ---------------------------------------------------------------------- */

struct status {
    char text[4096];
};

/* Return false if the process is gone; then the text is empty. */
static bool read_status(struct status *status, pid_t pid) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, status->text, sizeof status->text - 1);
    if (fd >= 0)
        close(fd);
    status->text[length < 0 ? 0 : length] = 0;
    return length > 0;
}

/* A number by its name, which begins with the end of the line before. */
static uint64_t number_of(const struct status *status, const char *name, int base) {
    const char *line = strstr(status->text, name);
    return line ? strtoull(line + strlen(name), NULL, base) : 0;
}

enum uno_stop uno_process_stop(pid_t pid) {
    struct status status;
    read_status(&status, pid);
    const char *state = strstr(status.text, "\nState:\t");
    bool stopped = state && (state[8] == 'T' || state[8] == 't');
    uint64_t pending = number_of(&status, "\nSigPnd:", 16) | number_of(&status, "\nShdPnd:", 16);
    bool anew = pending >> (SIGSTOP - 1) & 1;
    return stopped ? (anew ? UNO_HALTED_ANEW : UNO_HALTED) : anew ? UNO_TO_HALT : UNO_GOING;
}

int uno_process_threads(pid_t pid, uint64_t *handled) {
    struct status status;
    *handled = 0;
    if (!read_status(&status, pid))
        return 0;
    *handled = number_of(&status, "\nSigCgt:", 16);
    return (int)number_of(&status, "\nThreads:", 10);
}

/* ------------------------------------------------------------------------------------------------------ */

bool uno_process_read(pid_t pid, uint64_t at, void *to, size_t bytes) {
    struct iovec own = {to, bytes}, other = {(void *)(uintptr_t)at, bytes};
    ssize_t n = process_vm_readv(pid, &own, 1, &other, 1, 0);
    if (n >= 0 && (size_t)n < bytes)
        errno = EFAULT;
    return n >= 0 && (size_t)n == bytes;
}

bool uno_process_below(pid_t pid, pid_t other) {
    char state;
    while (pid > 1 && pid != other)
        if (!uno_process_look(pid, &state, &pid))
            return false;
    return pid == other;
}

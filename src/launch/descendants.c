#include "descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

bool uno_is_descendant(pid_t pid) {
    char state;
    pid_t self = getpid();
    while (pid > 1 && pid != self)
        if (!uno_process_look(pid, &state, &pid))
            return false;
    return pid == self;
}

/* Kill the children. Whether there were any. */
static bool kill_children(void) {
    bool any = false;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));) {
        pid_t pid = atoi(entry->d_name), parent;
        char state;
        if (pid > 0 && uno_process_look(pid, &state, &parent) && parent == getpid())
            any |= kill(pid, SIGKILL) == 0;
    }
    if (proc)
        closedir(proc);
    return any;
}

void uno_kill_descendants(void) {
    /* each that ends leaves its own children to this process */
    for (pid_t gone; (gone = waitpid(-1, NULL, WNOHANG)) >= 0;)
        if (gone == 0 && (!kill_children() || waitpid(-1, NULL, 0) < 0))
            return;
}

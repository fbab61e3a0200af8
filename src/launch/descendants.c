#include "descendants.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/process.h"

bool uno_each_child(void (*found)(void *argument, pid_t pid), void *argument) {
    bool any = false;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));) {
        pid_t pid = atoi(entry->d_name), parent;
        char state;
        if (pid > 0 && uno_process_look(pid, &state, &parent) && parent == getpid()) {
            found(argument, pid);
            any = true;
        }
    }
    if (proc)
        closedir(proc);
    return any;
}

static void kill_child(void *unused, pid_t pid) {
    (void)unused;
    kill(pid, SIGKILL);
}

void uno_kill_descendants(void) {
    /* each that ends leaves its own children to this process */
    for (pid_t gone; (gone = waitpid(-1, NULL, WNOHANG)) >= 0;)
        if (gone == 0 && (!uno_each_child(kill_child, NULL) || waitpid(-1, NULL, 0) < 0))
            return;
}

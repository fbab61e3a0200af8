#define _GNU_SOURCE
#include "here.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/processors.h"

void here_self(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = 0;
}

void here_path(char *path, size_t size, const char *folder, const char *file) {
    char self[3000];
    here_self(self, sizeof self);
    char *slash = strrchr(self, '/');
    snprintf(path, size, "%.*s/%s/%s", slash ? (int)(slash - self) : 0, self, folder, file);
}

void here_machine(char *text, size_t size) {
    char line[256], model[200] = "unknown processor";
    struct utsname system;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %199[^\n]", model) == 1)
            break;
    if (file)
        fclose(file);
    uname(&system);
    int processors = uno_processors();
    snprintf(text, size, "%s, %d processor%s, %s %s", model, processors, processors == 1 ? "" : "s",
             system.sysname, system.release);
}

bool here_plot(const char *script, json_t *json, const char *file) {
    char path[4096];
    here_path(path, sizeof path, UNO_SHARE, script);
    int ends[2], status = 1;
    pid_t pid = pipe(ends) ? -1 : fork();
    if (pid < 0)
        return false;
    if (pid == 0) {
        dup2(ends[0], 0);
        close(ends[0]);
        close(ends[1]);
        execl("/usr/bin/python3", "/usr/bin/python3", "-B", path, file, (char *)NULL);
        fprintf(stderr, "/usr/bin/python3: %m\n");
        _exit(127);
    }
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN); /* it ended early: its exit status tells */
    json_dumpfd(json, ends[1], 0);
    close(ends[1]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status == 0;
}

#include "cgroup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

void uno_cgroup_each(const char *controller, void (*look)(const char *folder, void *to), void *to) {
    char line[PATH_MAX];
    FILE *f = fopen("/proc/self/cgroup", "r");
    if (!f)
        return;
    while (fgets(line, sizeof line, f)) {
        /* "0::/a/b" (version 2) or "4:cpu,cpuacct:/a/b" (version 1) */
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        controllers++;
        if (*controllers && !strstr(controllers, controller))
            continue;
        char folder[PATH_MAX];
        int root = snprintf(folder, sizeof folder, "/sys/fs/cgroup%s%s", *controllers ? "/" : "",
                            *controllers ? controller : "");
        snprintf(folder + root, sizeof folder - (size_t)root, "%s", group);
        for (;;) {
            look(folder, to);
            char *slash = strrchr(folder, '/');
            if (!slash || slash < folder + root)
                break;
            *slash = 0;
        }
    }
    fclose(f);
}

#include "available.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cgroup.h"

static void lessen(struct uno_available *memory, uint64_t bytes, const char *limit) {
    if (bytes < memory->bytes)
        *memory = (struct uno_available){bytes, limit};
}

static uint64_t less(uint64_t a, uint64_t b) {
    return a > b ? a - b : 0;
}

/* The number that a file of one line holds. False: it holds none, as "max". */
static bool number_in(const char *folder, const char *name, uint64_t *number) {
    char path[PATH_MAX + 32];
    unsigned long long value;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    bool found = fscanf(f, "%llu", &value) == 1;
    fclose(f);
    if (found)
        *number = value;
    return found;
}

/* The number after `name` in a file of lines of names and numbers, or 0. */
static uint64_t named_in(const char *path, const char *name) {
    char line[256];
    unsigned long long value = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    while (fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0 && sscanf(line + strlen(name), "%llu", &value) == 1)
            break;
    fclose(f);
    return value;
}

/* Look at one control group, of version 2 or 1. Files in the page cache count as available, since the kernel
 * gives them up. */
static void look_at_group(const char *folder, void *memory) {
    uint64_t limit, used;
    char path[PATH_MAX + 32];
    bool new = number_in(folder, "memory.max", &limit);
    if (!new && !number_in(folder, "memory.limit_in_bytes", &limit))
        return;
    if (!number_in(folder, new ? "memory.current" : "memory.usage_in_bytes", &used))
        return;
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    uint64_t files = named_in(path, new ? "inactive_file " : "total_inactive_file ") +
                     named_in(path, new ? "active_file " : "total_active_file ");
    lessen(memory, less(limit, less(used, files)), "the memory limit of its control group");
}

static void look_at_resource(struct uno_available *memory, int resource, int field, const char *limit) {
    unsigned long long pages[7] = {0};
    struct rlimit r;
    if (getrlimit((__rlimit_resource_t)resource, &r) || r.rlim_cur == RLIM_INFINITY)
        return;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f)
        return;
    for (int i = 0; i < 7 && fscanf(f, "%llu", &pages[i]) == 1; i++)
        ;
    fclose(f);
    lessen(memory, less(r.rlim_cur, pages[field] * (uint64_t)sysconf(_SC_PAGESIZE)), limit);
}

struct uno_available uno_memory_available(int processes) {
    struct uno_available memory = {UINT64_MAX, "the machine"};
    uint64_t available = named_in("/proc/meminfo", "MemAvailable:");
    if (available)
        lessen(&memory, available * 1024, "the machine");
    uno_cgroup_each("memory", look_at_group, &memory);
    memory.bytes /= (uint64_t)processes; /* the limits below are each process's own */
    look_at_resource(&memory, RLIMIT_AS, 0, "the limit of its address space (ulimit -v)");
    look_at_resource(&memory, RLIMIT_DATA, 5, "the limit of its data (ulimit -d)");
    return memory;
}

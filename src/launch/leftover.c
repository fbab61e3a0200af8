#define _GNU_SOURCE
#include "leftover.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "descendants.h"
#include "engine/environment.h"

struct search {
    const struct uno_spawn *spawn;
    const bool *ended_open;
    pid_t found;
    int pe;
};

/* Return true if the process has the job's memory mapped: "ADDRESSES PERMISSIONS OFFSET DEVICE INODE NAME".
 */
static bool has_memory(const struct uno_spawn *spawn, pid_t pid) {
    char path[32], *line = NULL;
    size_t room = 0;
    bool found = false;
    unsigned long long inode;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    while (maps && !found && getline(&line, &room, maps) >= 0)
        found = strstr(line, "/memfd:unisono") && sscanf(line, "%*s %*s %*s %*s %llu", &inode) == 1 &&
                inode == spawn->inode;
    free(line);
    if (maps)
        fclose(maps);
    return found;
}

/* The PE that it was started for, by its environment; -1: not known. */
static int pe_of(pid_t pid) {
    static const char name[] = UNO_ENVIRONMENT "=";
    char path[32], *entry = NULL;
    size_t room = 0;
    int pe = -1;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    FILE *environment = fopen(path, "re");
    while (environment && pe < 0 && getdelim(&entry, &room, 0, environment) >= 0) {
        const char *comma = strncmp(entry, name, sizeof name - 1) == 0 ? strchr(entry, ',') : NULL;
        pe = comma ? atoi(comma + 1) : -1;
    }
    free(entry);
    if (environment)
        fclose(environment);
    return pe;
}

static void look_at(void *argument, pid_t pid) {
    struct search *search = argument;
    if (search->found || !has_memory(search->spawn, pid))
        return;
    int pe = pe_of(pid);
    if (pe < 0 || pe >= search->spawn->launch->n || !search->ended_open[pe])
        return;
    search->found = pid;
    search->pe = pe;
}

pid_t uno_leftover(const struct uno_spawn *spawn, const bool *ended_open, int *pe) {
    struct search search = {.spawn = spawn, .ended_open = ended_open};
    uno_each_child(look_at, &search);
    *pe = search.pe;
    return search.found;
}

/* Slurm tells an allocation by variables: SLURM_JOB_NODELIST=n[0-3], a list that `scontrol` writes out, and
 * SLURM_JOB_CPUS_PER_NODE=4(x3),2, numbers with the count of nodes in a row that have them. */

#define _GNU_SOURCE
#include "slurm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Call found(argument, name) for each node until it returns false. Returns false if the list cannot be had.
 */
static bool each_node(bool (*found)(void *argument, const char *name), void *argument) {
    const char *list = getenv("SLURM_JOB_NODELIST");
    /* the list reaches the command by the environment, so no character of it means anything to a shell */
    FILE *f = getenv("SLURM_JOB_ID") && list && *list
                  ? popen("exec scontrol show hostnames \"$SLURM_JOB_NODELIST\" 2>/dev/null", "re")
                  : NULL;
    char name[256];
    bool any = false;
    while (f && fgets(name, sizeof name, f)) {
        name[strcspn(name, "\n")] = 0;
        any = true;
        if (!found(argument, name))
            break;
    }
    return f && pclose(f) >= 0 && any;
}

/* The numbers of processors, as they are read. */
struct numbers {
    const char *text;
    long number, repeats;
};

/* Return the next one; without any, 1. */
static long next_number(struct numbers *numbers) {
    char *end;
    if (!numbers->repeats && *numbers->text) {
        numbers->number = strtol(numbers->text, &end, 10);
        numbers->repeats = 1;
        if (strncmp(end, "(x", 2) == 0)
            numbers->repeats = strtol(end + 2, &end, 10);
        end += strcspn(end, ",");
        numbers->text = *end ? end + 1 : end;
    }
    if (numbers->repeats > 0)
        numbers->repeats--;
    return numbers->number > 0 ? numbers->number : 1;
}

struct adding {
    struct uno_hosts *hosts;
    char *error;
    struct numbers numbers;
    bool good;
};

static bool add(void *argument, const char *name) {
    struct adding *adding = argument;
    adding->good = uno_hosts_add(adding->hosts, name, next_number(&adding->numbers), adding->error);
    return adding->good;
}

bool uno_slurm_add(struct uno_hosts *hosts, char error[UNO_LIST_ERROR]) {
    const char *processors = getenv("SLURM_JOB_CPUS_PER_NODE");
    struct adding adding = {hosts, error, {processors ? processors : "", 0, 0}, true};
    if (!getenv("SLURM_JOB_ID")) {
        snprintf(error, UNO_LIST_ERROR,
                 "this command runs in no allocation of Slurm; start it by salloc or sbatch");
        return false;
    }
    if (!each_node(add, &adding)) {
        snprintf(error, UNO_LIST_ERROR,
                 "`scontrol show hostnames` does not tell the nodes of the allocation");
        return false;
    }
    return adding.good;
}

static bool mark(void *argument, const char *name) {
    struct uno_hosts *hosts = argument;
    for (int i = 0; i < hosts->count; i++)
        if (strcmp(hosts->name[i], name) == 0)
            hosts->slurm[i] = true;
    return true;
}

void uno_slurm_mark(struct uno_hosts *hosts) {
    each_node(mark, hosts);
}

/* unisono agent: the part of a job on one of several machines. `unisono run --hosts` starts it there, and
 * speaks with it over its standard input and output. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "launch/exit.h"
#include "launch/hosts/agent.h"
#include "launch/launch.h"
#include "launch/node.h"
#include "launch/records.h"
#include "run/job.h"
#include "run/parts.h"

/* The beginnings of names of variables that say something of the machine, or of the login there. Of these the
 * agent's own ones hold, of all others the coordinator's. */
static const char *const of_the_machine[] = {
    "SSH_", "XDG_SESSION_", "XDG_RUNTIME_DIR=", "DBUS_SESSION_", "SLURM", "HOSTNAME=", "PMI_", "PMIX_"};

static bool is_of_the_machine(const char *entry) {
    for (size_t i = 0; i < sizeof of_the_machine / sizeof *of_the_machine; i++)
        if (strncmp(entry, of_the_machine[i], strlen(of_the_machine[i])) == 0)
            return true;
    return false;
}

/* Make the environment of this process that of the job. Returns false if there is no memory. */
static bool take_environment(char **told) {
    size_t count = 0, own = 0, at = 0;
    while (told[count])
        count++;
    while (environ[own])
        own++;
    char **all = calloc(count + own + 1, sizeof *all);
    for (size_t i = 0; all && i < count; i++)
        if (!is_of_the_machine(told[i]))
            all[at++] = told[i];
    for (size_t i = 0; all && i < own; i++)
        if (is_of_the_machine(environ[i]))
            all[at++] = environ[i];
    if (all)
        environ = all;
    return all;
}

int command_agent(int argc, char **argv) {
    static struct uno_agent agent;
    static struct uno_seen_share share;
    struct uno_launch *launch = &agent.told.launch;
    (void)argv;
    if (argc > 1 || isatty(STDIN_FILENO)) {
        fprintf(stderr, "unisono agent: it is started by `unisono run --hosts`, and takes no options\n");
        return UNO_EXIT_USAGE;
    }
    if (!uno_agent_begin(&agent))
        return EXIT_FAILURE;
    if (!take_environment(agent.told.environment)) {
        fprintf(stderr, "unisono run: no memory for the environment\n");
        return EXIT_FAILURE;
    }
    if (chdir(agent.told.folder)) {
        fprintf(stderr,
                "unisono run: cannot enter the folder %s: %s; start the job in one that all machines have\n",
                agent.told.folder, strerror(errno));
        return EXIT_FAILURE;
    }
    job_observe(launch, &share, uno_records_wanted(launch), "unisono run");
    for (int k = 0; share.memory && k < launch->n; k++)
        if (!uno_node_has(launch, k))
            share.memory->far[k / 64] |= UINT64_C(1) << k % 64;
    parts_finish(launch);
    int status = uno_launch(launch);
    parts_free(launch);
    uno_seen_drop(&share);
    return status;
}

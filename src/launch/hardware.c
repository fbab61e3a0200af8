#define _GNU_SOURCE
#include "hardware.h"

#include <math.h>
#include <spawn.h>
#include <stdio.h>

#include "engine/signature.h"
#include "say.h"
#include "unit/rtl/port.h"
#include "unit/unit.h"

extern char **environ;

enum {
    LEAST_CLOCKS =
        2, /* an operation is over one clock after the last arrival, so that the next look finds it */
    MOST_CLOCKS = 1000000,
};

int uno_hardware_clocks(const struct uno_launch *launch) {
    if (!launch->clock_mhz || !launch->port_ns)
        return LEAST_CLOCKS;
    double clocks = ceil(launch->clock_mhz * launch->port_ns / 1000);
    return clocks < LEAST_CLOCKS ? LEAST_CLOCKS : clocks > MOST_CLOCKS ? 0 : (int)clocks;
}

void uno_hardware_describe(struct uno_run *run) {
    const struct uno_launch *launch = run->launch;
    struct uno_ports *ports = uno_ports(run->job);
    ports->clock_mhz = launch->clock_mhz;
    ports->port_ns = launch->port_ns;
    ports->clocks_each = uno_hardware_clocks(launch);
}

int uno_hardware_start(struct uno_run *run) {
    char number[16];
    char *argv[] = {(char *)run->launch->hardware, number, NULL};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    snprintf(number, sizeof number, "%d", run->spawn.memory);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &run->spawn.mask);
    posix_spawn_file_actions_init(&files);
    /* onto itself: it stays open at exec. A copy, closed here, would take the launcher's lock with it. */
    posix_spawn_file_actions_adddup2(&files, run->spawn.memory, run->spawn.memory);
    int error = posix_spawn(&run->hardware, argv[0], &files, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return -error;
}

void uno_hardware_say(struct uno_run *run) {
    uint64_t bypassed = uno_load64_relaxed(&run->job->bypassed);
    char names[UNO_OP_COUNT * 24] = "";
    size_t length = 0;
    for (unsigned op = 1; op < UNO_OP_COUNT; op++) {
        const char *name = op == UNO_OPS_MESSAGE ? "messages" : uno_signature_name(op);
        if (bypassed >> op & 1 && name && length < sizeof names)
            length +=
                (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", name);
    }
    if (length)
        uno_say(&run->output, "by shared memory, not by the unit %s, went data of: %s",
                run->launch->unit->name, names);
}

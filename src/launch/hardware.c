#define _GNU_SOURCE
#include "hardware.h"

#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>

#include "engine/signature.h"
#include "say.h"
#include "engine/nodes.h"
#include "unit/mesh/inbox.h"
#include "unit/rtl/port.h"
#include "unit/unit.h"

extern char **environ;

enum {
    LEAST_CLOCKS =
        2, /* an operation is over one clock after the last arrival, so that the next look finds it */
    MOST_CLOCKS = 1000000,
    PAGE = 4096,
};

int uno_hardware_clocks(const struct uno_launch *launch) {
    if (!launch->clock_mhz || !launch->port_ns)
        return LEAST_CLOCKS;
    double clocks = ceil(launch->clock_mhz * launch->port_ns / 1000);
    return clocks < LEAST_CLOCKS ? LEAST_CLOCKS : clocks > MOST_CLOCKS ? 0 : (int)clocks;
}

bool uno_hardware_is_mesh(const struct uno_launch *launch) {
    return launch->unit->process && strcmp(launch->unit->process, "mesh") == 0;
}

size_t uno_hardware_size(const struct uno_launch *launch) {
    if (!launch->unit->process)
        return 0;
    size_t inboxes = uno_hardware_is_mesh(launch) ? (size_t)launch->n * sizeof(struct uno_inbox) : 0;
    return (uno_ports_size(launch->n) + inboxes + PAGE - 1) / PAGE * PAGE;
}

/* Let each PE be a node of its own, and tell it the tiles of all. */
static void describe_tiles(struct uno_run *run) {
    struct uno_job_nodes *nodes = uno_nodes_of(run->job);
    const int *side = run->launch->side;
    nodes->columns = side[0];
    nodes->count = run->launch->n;
    nodes->pes = run->launch->n;
    for (int k = 0; k < run->launch->n; k++) {
        uint32_t tile = (uint32_t)k;
        nodes->place[k].node = k;
        memcpy(nodes->place[k].address, &tile, sizeof tile);
        uno_store32_relaxed(&nodes->place[k].address_bytes, sizeof tile);
        snprintf(nodes->name[k], sizeof nodes->name[k], "tile %d,%d", k % side[0], k / side[0]);
    }
    memcpy(uno_ports(run->job)->side, side, sizeof run->launch->side);
    const char *beside = strchr(run->launch->unit->name, '+'); /* as mesh+papers1 has one */
    if (beside)
        snprintf(uno_ports(run->job)->beside, sizeof uno_ports(run->job)->beside, "%s", beside + 1);
}

void uno_hardware_describe(struct uno_run *run) {
    const struct uno_launch *launch = run->launch;
    struct uno_ports *ports = uno_ports(run->job);
    if (uno_hardware_is_mesh(launch))
        describe_tiles(run);
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

bool uno_hardware_still(const struct uno_run *run) {
    /* SYNC STILL: that everything which was on its way is where it went */
    return !uno_hardware_is_mesh(run->launch) || uno_load32_acquire(&uno_ports(run->job)->still);
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

/* mesh FD: the process of a simulated mesh, which the launcher starts beside the PEs. The job's memory has
 * its sides, and the ports of the PEs. It ends when they have left. */

#include <stdio.h>
#include <stdlib.h>

#include "hardware/drive.h"
#include "hardware/map.h"
#include "tiles.h"

static _Noreturn void fail(const char *why) {
    fprintf(stderr, "unisono: the simulated mesh: %s\n", why);
    exit(EXIT_FAILURE);
}

static bool look(void *unit) {
    return uno_tiles_look(unit);
}

static void step(void *unit) {
    if (!uno_tiles_step(unit))
        fail("out of memory");
}

static bool empty(const void *unit) {
    return uno_tiles_empty(unit);
}

static bool idle(const void *unit, int k) {
    const struct uno_tile *tile = &((const struct uno_tiles *)unit)->tile[k];
    return !tile->gone && tile->stage == UNO_TILE_IDLE &&
           uno_load64_relaxed(&tile->port->command) == tile->taken;
}

static void set_away(void *unit, int k, bool away) {
    ((struct uno_tiles *)unit)->tile[k].away = away;
}

int main(int argc, char **argv) {
    struct uno_tiles tiles;
    struct uno_beside beside;
    uno_hardware_begin();
    struct uno_job *job = uno_hardware_map(argc, argv);
    const int *side = uno_ports(job)->side;
    struct uno_mesh_model *model = uno_mesh_model_make(side[0], side[1]);
    if (!model)
        fail("it is not built with such sides");
    const char *name = uno_ports(job)->beside;
    if (*name && !uno_beside_open(&beside, name, job->n))
        fail("no unit is built that has room for so many PEs beside it");
    if (!uno_tiles_open(&tiles, job, model, *name ? &beside : NULL))
        fail("out of memory");
    uno_drive(&(struct uno_driven){job, &tiles, look, step, empty, idle, set_away});
    return EXIT_SUCCESS;
}

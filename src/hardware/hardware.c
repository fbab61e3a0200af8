/* hardware FD: the process of a simulated PAPERS unit, which the launcher starts beside the PEs. The job's
 * memory says which unit, and has the ports of the PEs. It ends when they have left. */

#include <stdio.h>
#include <stdlib.h>

#include "crate.h"
#include "drive.h"
#include "map.h"

static bool look(void *unit) {
    return uno_crate_look(unit);
}

static void step(void *unit) {
    uno_crate_step(unit);
}

static bool empty(const void *unit) {
    return uno_crate_empty(unit);
}

static bool idle(const void *unit, int k) {
    const struct uno_seat *seat = &((const struct uno_crate *)unit)->seat[k];
    return !seat->gone && seat->stage == UNO_IDLE && uno_load64_relaxed(&seat->port->command) == seat->taken;
}

static void set_away(void *unit, int k, bool away) {
    ((struct uno_crate *)unit)->seat[k].away = away;
}

int main(int argc, char **argv) {
    struct uno_crate crate;
    uno_hardware_begin();
    struct uno_job *job = uno_hardware_map(argc, argv);
    struct uno_model *model = uno_model_make(job->unit, job->n);
    if (!model) {
        fprintf(stderr, "unisono: there is no simulated unit %s for %d PEs\n", job->unit, job->n);
        return EXIT_FAILURE;
    }
    uno_crate_open(&crate, job, model);
    uno_drive(&(struct uno_driven){job, &crate, look, step, empty, idle, set_away});
    return EXIT_SUCCESS;
}

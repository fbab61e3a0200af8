/* hardware FD: the process of a simulated unit, which the launcher starts beside the PEs. The job's memory
 * says which unit, and has the ports of the PEs. It ends when they have left. */

#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "crate.h"
#include "engine/bell.h"
#include "engine/process.h"
#include "engine/tuning.h"
#include "map.h"

/* A PE that has slept so long elsewhere, say in a read, may sleep until others go on: they do so without it.
 * A PE that computes, or that is not run, is waited for, whatever it takes. */
enum { AWAY_NS = 60 * 1000 * 1000, LOOK_NS = 15 * 1000 * 1000 };

static bool over(const struct uno_crate *crate) {
    /* SYNC FAULT: not needed here */
    return uno_crate_empty(crate) || uno_load32_acquire(&crate->job->fault) == UNO_FAULT;
}

/* Mark the PEs that sleep for so long. since: when each was first seen to; 0: it does not. */
static void look_for_sleepers(struct uno_crate *crate, uint64_t *since) {
    uint64_t now = uno_kernel_now();
    for (int k = 0; k < crate->job->n; k++) {
        struct uno_seat *seat = &crate->seat[k];
        char state;
        pid_t parent;
        bool idle = !seat->gone && seat->stage == UNO_IDLE &&
                    uno_load64_relaxed(&seat->port->command) == seat->taken &&
                    uno_load32_relaxed(&crate->job->board[k].state) == UNO_JOINED;
        bool sleeps = idle && uno_process_look(crate->job->board[k].pid, &state, &parent) && state == 'S';
        since[k] = !sleeps ? 0 : since[k] ? since[k] : now;
        seat->away = since[k] && now - since[k] >= AWAY_NS;
    }
}

/* Wait until there is something to do, or the job is over. */
static void await(struct uno_crate *crate) {
    struct uno_ports *ports = crate->ports;
    uint64_t asleep_since[UNO_PORT_MAX_PES] = {0}, began = uno_kernel_now();
    while (!uno_crate_look(crate) && !over(crate)) {
        if (uno_kernel_now() - began < UNO_YIELD_NS) {
            uno_kernel_yield();
            continue;
        }
        uint64_t rung = uno_load64_relaxed(&ports->bell);
        if (!uno_bell_quiet(&ports->bell)) {
            uno_bell_arm(&ports->bell);
            /* SYNC BELL: a command to this process, or that it sleeps to the PE */
            uno_kernel_fence();
            continue;
        }
        uno_kernel_sleep(&ports->bell, rung, LOOK_NS);
        look_for_sleepers(crate, asleep_since);
    }
    uno_bell_disarm(&ports->bell);
}

int main(int argc, char **argv) {
    struct uno_crate crate;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* a terminal sends it to all; the launcher ends this process */
    struct uno_job *job = uno_hardware_map(argc, argv);
    struct uno_model *model = uno_model_make(job->unit, job->n);
    if (!model) {
        fprintf(stderr, "unisono: there is no simulated unit %s for %d PEs\n", job->unit, job->n);
        return EXIT_FAILURE;
    }
    uno_kernel_start();
    uno_crate_open(&crate, job, model);
    for (await(&crate); !over(&crate); await(&crate))
        uno_crate_step(&crate);
    return EXIT_SUCCESS;
}

#include "phase.h"

#include "engine/kernel.h"
#include "send.h"

void uno_phase_send(struct uno_run *run, int signal_number) {
    for (int k = 0; k < run->launch->n; k++)
        uno_send(run->job, k, run->child[k], signal_number);
}

void uno_phase_enter(struct uno_run *run, enum uno_phase phase, int signal_number, uint64_t lasts) {
    uint64_t now = uno_kernel_now();
    run->phase = phase;
    run->look = phase == UNO_RUNS ? now + UNO_DEADLOCK_NS : 0;
    run->next = lasts ? now + lasts : 0;
    if (phase != UNO_RUNS)
        uno_turns_end(&run->turns); /* a stopped process ends by SIGKILL alone */
    if (signal_number)
        uno_phase_send(run, signal_number);
}

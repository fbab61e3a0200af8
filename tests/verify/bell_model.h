/* The wait of a model's PE with a bell: it follows the text of wait.c, on the model's own words. */

#ifndef BELL_MODEL_H
#define BELL_MODEL_H

#include "engine/shifts.c"
#include "engine/wait.c"

#include "kernel_model.h"

void uno_fault_check(uno_pe *, int, unsigned) {}

/* No interrupt is raised in this model. */
void uno_interrupt_acknowledge(uno_pe *) {}
int uno_interrupt_missing(uno_pe *) {
    return -1;
}

uint64_t uno_kernel_now(void) {
    return 1;
}

uint32_t uno_kernel_processor(void) {
    return 0;
}

/* A PE that sleeps has this: a bell, and a board of which it is a sleeper meanwhile. */
struct sleeper {
    uno_atomic64 bell;
    uno_board board;

    void give(uno_pe *pe) {
        memset(&board, 0, sizeof board);
        bell.number = checker->fresh64(0);
        board.slot[0].header.number = checker->fresh64(0);
        board.parked.number = checker->fresh32(0);
        pe->bell = &bell;
        pe->board = &board;
    }
};

/* Take one step of waiting, until the words that the PE looks at say that the event is there. */
template <typename Look> void wait_step(uno_wait *wait, Look there) {
    if (!sleeps)
        rl::yield(1, $);
    else if (!uno_wait_arm(wait) || !there())
        uno_wait_sleep(wait->pe);
}

static void wait_end(uno_wait *wait) {
    if (wait->fenced)
        uno_bell_disarm(wait->pe->bell);
    *wait = {.pe = wait->pe};
}

template <typename Look> void wait_until(uno_pe *pe, Look there) {
    uno_wait wait = {.pe = pe};
    while (!there())
        wait_step(&wait, there);
    wait_end(&wait);
}

#endif

#include "schedule.h"

#include <stddef.h>
#include <string.h>

static int to_shift(const struct uno_torus *t, int phase, int pe) {
    return (pe + phase) % uno_torus_pes(t);
}

static int to_xor(const struct uno_torus *t, int phase, int pe) {
    (void)t;
    return pe ^ phase;
}

/* Every ring is reflected at a place that the phase gives, for each PE of a node `numerator` / `denominator`
 * of the ring further than for the one before. The rings of each PE are a permutation, and so are the PEs'
 * numbers, whatever these are. */
static int reflect(const struct uno_torus *t, int phase, int pe, int numerator, int denominator) {
    int number = pe % t->pes, nodes = 1, to = 0;
    for (int d = 0; d < t->dimensions; d++) {
        int side = t->side[d], x = pe / t->pes / nodes % side;
        int mirror = phase / t->pes / nodes % side + number * side * numerator / denominator;
        to += (mirror - x + side) % side * nodes;
        nodes *= side;
    }
    return to * t->pes + (phase % t->pes - number + t->pes) % t->pes;
}

static int to_reflected(const struct uno_torus *t, int phase, int pe) {
    return reflect(t, phase, pe, 0, 1);
}

static int to_quarter(const struct uno_torus *t, int phase, int pe) {
    return reflect(t, phase, pe, 1, 2 * t->pes);
}

static int to_balanced(const struct uno_torus *t, int phase, int pe) {
    return reflect(t, phase, pe, 1, t->pes);
}

const struct uno_torus_schedule uno_torus_schedules[] = {
#define X(name, power_of_2, what) {#name, what, power_of_2, to_##name},
#include "schedule.def"
#undef X
};

const int uno_torus_schedule_count = sizeof uno_torus_schedules / sizeof *uno_torus_schedules;

const struct uno_torus_schedule *uno_torus_schedule_named(const char *name) {
    for (int i = 0; i < uno_torus_schedule_count; i++)
        if (strcmp(uno_torus_schedules[i].name, name) == 0)
            return &uno_torus_schedules[i];
    return NULL;
}

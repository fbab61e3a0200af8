#include "engine/fault.h"
#include "unit/observed.h"
#include "unit/unit.h"

static const struct uno_unit *const units[] = {
#define X(name, start) &uno_unit_##name,
    UNO_UNITS(X)
#undef X
};

enum { COUNT = sizeof units / sizeof *units };

struct uno_pe *uno_unit_join(void) {
    for (int i = 0; i < COUNT; i++) {
        if (!units[i]->join)
            continue;
        struct uno_pe *pe = units[i]->join();
        if (pe->job->observe)
            uno_observe(pe);
        return pe;
    }
    uno_fail(uno_self, "p_init: this library has no unit for it");
}

int uno_unit_team(int n, int (*function)(void *argument), void *argument) {
    for (int i = 0; i < COUNT; i++)
        if (units[i]->team)
            return units[i]->team(n, function, argument);
    uno_fail(uno_self, "p_team: this library has no unit for it");
}

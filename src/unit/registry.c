#include <string.h>

#include "engine/fault.h"
#include "rtl/port.h"
#include "unit/observed.h"
#include "unit/unit.h"

static const struct uno_unit *const units[] = {
#define X(name, start) &uno_unit_##name,
    UNO_UNITS(X)
#undef X
};

enum { COUNT = sizeof units / sizeof *units };

const struct uno_unit *uno_unit_named(const char *name) {
    for (int i = 0; i < COUNT; i++)
        if (units[i]->begin && strcmp(units[i]->name, name) == 0)
            return units[i];
    return NULL;
}

struct uno_pe *uno_unit_join(void) {
    for (int i = 0; i < COUNT; i++) {
        if (!units[i]->join)
            continue;
        struct uno_pe *pe = units[i]->join();
        if (pe->job->ports_at) {
            pe->unit = uno_unit_named(uno_ports(pe->job)->unit);
            pe->unit->begin(pe);
        }
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

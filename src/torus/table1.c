#include "table1.h"

#include <stddef.h>

const struct uno_table1_row uno_table1[UNO_TABLE1_ROWS] = {
#define X(...) {__VA_ARGS__},
#include "table1.def"
#undef X
};

const struct uno_table1_assumption uno_table1_assumptions[] = {
#define X(parameter, origin, why) {#parameter, origin, why},
#include "assumptions.def"
#undef X
};

const int uno_table1_assumption_count = sizeof uno_table1_assumptions / sizeof *uno_table1_assumptions;

bool uno_table1_rates(const struct uno_torus *t, const struct uno_table1_row *row, struct uno_rates *rates) {
    struct uno_torus machine = *t;
    machine.distance = row->distance;
    machine.corner = row->corner;
    return row->schedule ? uno_torus_phased(&machine, uno_torus_schedule_named(row->schedule), rates)
                         : uno_torus_unphased(&machine, rates);
}

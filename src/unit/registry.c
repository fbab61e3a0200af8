#include <string.h>

#include "engine/fault.h"
#include "unit/observed.h"
#include "unit/unit.h"

const struct uno_unit_row uno_unit_rows[] = {
#define X(name, written, start, process, most, tested)                                                       \
    {written, &uno_unit_##name, UNO_START_##start, process, most},
    UNO_UNITS(X)
#undef X
        {0}};

#define X(name, written, start, process, most, tested)                                                       \
    _Static_assert(sizeof written <= UNO_UNIT_NAME && (most) >= 1 && (most) <= UNO_MAX_PES,                  \
                   "the row of " #name);
UNO_UNITS(X)
#undef X

const struct uno_unit_row *uno_unit_named(const char *name) {
    for (const struct uno_unit_row *row = uno_unit_rows; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

const struct uno_unit_row *uno_unit_first(enum uno_unit_start start) {
    for (const struct uno_unit_row *row = uno_unit_rows; row->name; row++)
        if (row->start == start)
            return row;
    return NULL;
}

/* The PE that has joined a job that a launcher started becomes one of the unit that the job is for. */
static void begin(struct uno_pe *pe) {
    const struct uno_unit_row *row = uno_unit_named(pe->job->unit);
    if (!row)
        uno_fail(pe,
                 "p_init: the job was started for the unit %s, which this program's library does not have",
                 pe->job->unit);
    if (row->start != UNO_START_named && row->start != UNO_START_hosts)
        return;
    pe->unit = row->unit;
    if (pe->unit->begin)
        pe->unit->begin(pe);
}

struct uno_pe *uno_unit_join(void) {
    uno_unit_look_for_children();
    const struct uno_unit_row *row = uno_unit_first(UNO_START_run);
    if (!row || !row->unit->join)
        uno_fail(uno_self, "p_init: this library has no unit for it");
    struct uno_pe *pe = row->unit->join();
    if (pe->job->unit[0])
        begin(pe);
    if (pe->job->observe)
        uno_observe(pe);
    return pe;
}

int uno_unit_team(int n, int (*function)(void *argument), void *argument) {
    uno_unit_look_for_children();
    const struct uno_unit_row *row = uno_unit_first(UNO_START_team);
    if (!row || !row->unit->team)
        uno_fail(uno_self, "p_team: this library has no unit for it");
    return row->unit->team(n, function, argument);
}

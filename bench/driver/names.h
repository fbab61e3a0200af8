/* unisono bench: names of operations and types, and the tables of 1995. */

#ifndef BENCH_DRIVER_NAMES_H
#define BENCH_DRIVER_NAMES_H

#include <stdbool.h>

#include "protocol.h"

struct bench_kind {
    const char *name; /* "p_reduceAdd", "ring" */
    enum bench_types types;
    enum bench_timing timing;
    enum bench_result result;
};
extern const struct bench_kind bench_kinds[BENCH_KINDS];
extern const char *const bench_suffixes[BENCH_TYPE_COUNT];

/* Return true if the operation exists for the type. */
bool bench_has_type(int op, int type);

enum { TABLE_COLUMNS = 6, TABLE_ROWS = 7, FIRST_TABLE = 2, LAST_TABLE = 20 };

struct bench_table {
    int number;
    const char *title;
    struct {
        const char *heading; /* NULL: no more columns */
        int op, type;
    } column[TABLE_COLUMNS];
    struct {
        const char *system; /* NULL: no more rows */
        const char *cell[TABLE_COLUMNS];
    } row[TABLE_ROWS];
};
extern const struct bench_table bench_tables[LAST_TABLE - FIRST_TABLE + 1];

#endif

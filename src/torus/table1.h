/* Table 1 of the paper, regenerated. */

#ifndef UNO_TORUS_TABLE1_H
#define UNO_TORUS_TABLE1_H

#include "rates.h"

struct uno_table1_row {
    const char *description;
    double rate, aggregate, percent; /* the paper's; MB/s, MB/s, of 75 MB/s a PE */
    const char *schedule;            /* NULL: without phases */
    enum uno_torus_distance distance;
    enum uno_torus_corner corner;
};

struct uno_table1_assumption {
    const char *parameter, *origin, *why;
};

enum { UNO_TABLE1_ROWS = 5 };

extern const struct uno_table1_row uno_table1[UNO_TABLE1_ROWS];
extern const struct uno_table1_assumption uno_table1_assumptions[];
extern const int uno_table1_assumption_count;

/* A row on this torus, but for its distance and its corner, which are the row's. Returns false if memory
 * lacks. */
bool uno_table1_rates(const struct uno_torus *t, const struct uno_table1_row *row, struct uno_rates *rates);

#endif

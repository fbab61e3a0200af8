/* unisono bench --limits, within: goals, each with what was measured. */

#ifndef UNO_BENCH_LIMITS_H
#define UNO_BENCH_LIMITS_H

#include "bench.h"

enum limit_kind { AT_MOST, AT_LEAST, SHOWN };

/* One row of the table. */
struct limit {
    const char *section;
    char goal[96];
    enum limit_kind kind;
    double bound; /* SHOWN: the least possible, or what would be a fair share; 0: nothing to compare with */
    const char *unit; /* of bound and value: "ns", "times", "%" or "" */
    bool measured;
    double value;
    char note[160]; /* measured: what the value belongs to; otherwise why it is not */
};

enum { MAX_LIMITS = 80 };

struct limits {
    struct limit row[MAX_LIMITS];
    int rows;
    char mode[200]; /* how the processors were placed */
};

/* ---- bench_limits_report.c --------------------------------------------------------------------------- */

/* Append a row. The goal, in words, is formatted; value < 0: not measured. */
struct limit *limit_add(struct limits *l, const char *section, enum limit_kind kind, double bound,
                        const char *unit, double value, const char *goal, ...)
    __attribute__((format(printf, 7, 8)));

/* Set the note of a row. */
void limit_note(struct limit *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether the goal is held; only of a row that is measured and not SHOWN. */
bool limit_is_held(const struct limit *row);

/* What was measured, on what machine, when, and with which mode; then the table. */
void limits_heading(const struct limits *l, const struct bench *near);
void limits_report(const struct limits *l);
json_t *limits_json(const struct limits *l);

/* ---- late.c ------------------------------------------------------------------------------------ */

/* Of one side: the PEs wait for the last one, which comes late. */
struct late {
    bool measured;
    double wake;  /* ns from when the last PE enters until another leaves, median */
    double share; /* of a processor, that the PEs that wait use at most */
};

/* Have the last PE of the side come so many seconds late to each of `count` operations p_wait (cell 0). */
struct late late_measure(struct bench *b, struct bench_side *side, double seconds, int count);

/* ---- scenarios.c ------------------------------------------------------------------------------- */

/* Measure a job of Unisono in company and in confinement, for about so many seconds in all. */
void scenarios_measure(struct bench *b, struct limits *l, double seconds);

#endif

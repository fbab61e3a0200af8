/* unisono bench: goals, each with its measured value, as text and as JSON. */

#ifndef BENCH_DRIVER_GOALS_H
#define BENCH_DRIVER_GOALS_H

#include "results.h"

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
    char note[160]; /* measured: what the value refers to; otherwise why there is none */
};

enum { MAX_LIMITS = 80 };

struct limits {
    struct limit row[MAX_LIMITS];
    int rows;
    char mode[200]; /* the placement of the processors */
};

/* Append a row. The goal is a format; value < 0: not measured. */
struct limit *limit_add(struct limits *l, const char *section, enum limit_kind kind, double bound,
                        const char *unit, double value, const char *goal, ...)
    __attribute__((format(printf, 7, 8)));

/* Set the note of a row. */
void limit_note(struct limit *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Return true if the goal is held. Only for a row that is measured and not SHOWN. */
bool limit_is_held(const struct limit *row);

/* Print what was measured, on which machine, when, and in which mode; then the table. */
void limits_heading(const struct limits *l, const struct bench *near);
void limits_report(const struct limits *l);
json_t *limits_json(const struct limits *l);

#endif

#include "goals.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/common/here.h"
#include "others.h"

enum { GOAL_WIDTH = 66, TEXT = 32 };

struct limit *limit_add(struct limits *l, const char *section, enum limit_kind kind, double bound,
                        const char *unit, double value, const char *goal, ...) {
    struct limit *row = &l->row[l->rows < MAX_LIMITS - 1 ? l->rows++ : l->rows];
    va_list arguments;
    *row = (struct limit){.section = section,
                          .kind = kind,
                          .bound = bound,
                          .unit = unit,
                          .measured = value >= 0,
                          .value = value};
    va_start(arguments, goal);
    vsnprintf(row->goal, sizeof row->goal, goal, arguments);
    va_end(arguments);
    return row;
}

void limit_note(struct limit *row, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->note, sizeof row->note, format, arguments);
    va_end(arguments);
}

bool limit_is_held(const struct limit *row) {
    return row->kind == AT_MOST ? row->value <= row->bound : row->value >= row->bound;
}

/* ---- text -------------------------------------------------------------------------------------------- */

/* A value with its unit: "62 ns", "1.33 us", "1.25 times", "0.3 %". */
static void value_text(char text[TEXT], double value, const char *unit) {
    if (strcmp(unit, "ns") == 0 && value >= 1e6)
        snprintf(text, TEXT, "%.3g ms", value / 1e6);
    else if (strcmp(unit, "ns") == 0 && value >= 1e3)
        snprintf(text, TEXT, "%.3g us", value / 1e3);
    else
        snprintf(text, TEXT, value >= 999.5 ? "%.0f %s" : "%.3g %s", value, unit);
    size_t length = strlen(text);
    if (length && text[length - 1] == ' ')
        text[length - 1] = 0;
}

static const char *verdict(const struct limit *row) {
    return !row->measured       ? "not measured"
           : row->kind == SHOWN ? "shown"
           : limit_is_held(row) ? "held"
                                : "missed";
}

static void print_row(const struct limit *row) {
    static const char *const relation[] = {[AT_MOST] = "<= ", [AT_LEAST] = ">= ", [SHOWN] = ""};
    char bound[TEXT] = "", goal[TEXT + 8], value[TEXT] = "-", ratio[TEXT] = "";
    if (row->bound > 0)
        value_text(bound, row->bound, row->unit);
    snprintf(goal, sizeof goal, "%s%s", row->bound > 0 ? relation[row->kind] : "", bound);
    if (row->measured)
        value_text(value, row->value, row->unit);
    if (row->measured && row->bound > 0)
        snprintf(ratio, sizeof ratio, "%.2f", row->value / row->bound);
    printf("  %-*s %14s %12s %8s  ", GOAL_WIDTH, row->goal, goal, value, ratio);
    printf(*row->note ? "%-12s %s\n" : "%s\n", verdict(row), row->note);
}

void limits_heading(const struct limits *l, const struct bench *near) {
    char machine[400], date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime(&now));
    here_machine(machine, sizeof machine);
    printf("%s. %s. %s.\n%s\n", near->side[0].label, machine, date, l->mode);
    for (int i = 0; i < near->absents; i++)
        printf("Not compared: %s.\n", near->absent[i]);
    for (int i = 0; i < near->options.count_count; i++)
        bench_warn(near, i, "");
}

void limits_report(const struct limits *l) {
    const char *section = "";
    int held = 0, missed = 0, absent = 0;
    for (int i = 0; i < l->rows; i++) {
        const struct limit *row = &l->row[i];
        if (strcmp(section, row->section))
            printf("\n%-*s %14s %12s %8s  held or not\n", GOAL_WIDTH + 2, section = row->section, "goal",
                   "measured", "ratio");
        print_row(row);
        held += row->measured && row->kind != SHOWN && limit_is_held(row);
        missed += row->measured && row->kind != SHOWN && !limit_is_held(row);
        absent += !row->measured;
    }
    printf("\n%d held, %d missed, %d not measured.\n", held, missed, absent);
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

json_t *limits_json(const struct limits *l) {
    static const char *const kind[] = {[AT_MOST] = "at most", [AT_LEAST] = "at least", [SHOWN] = "shown"};
    json_t *rows = json_array();
    for (int i = 0; i < l->rows; i++) {
        const struct limit *row = &l->row[i];
        json_t *held = row->measured && row->kind != SHOWN ? json_boolean(limit_is_held(row)) : json_null();
        json_array_append_new(
            rows,
            json_pack("{ss ss ss so ss so so so ss}", "section", row->section, "goal", row->goal, "kind",
                      kind[row->kind], "bound", row->bound > 0 ? json_real(row->bound) : json_null(), "unit",
                      row->unit, "measured", row->measured ? json_real(row->value) : json_null(), "ratio",
                      row->measured && row->bound > 0 ? json_real(row->value / row->bound) : json_null(),
                      "held", held, "note", row->note));
    }
    return rows;
}

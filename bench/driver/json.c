#define _GNU_SOURCE
#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/common/here.h"
#include "engine/processors.h"
#include "figures.h"

/* A time as the paper prints it: its text, and the number, if it is one. */
static json_t *paper_cell(const char *text) {
    char digits[32];
    size_t n = 0;
    for (const char *c = text; *c && n < sizeof digits - 1; c++)
        if ((*c >= '0' && *c <= '9') || *c == '.')
            digits[n++] = *c;
    digits[n] = 0;
    return json_pack("{ss so}", "text", text, "microseconds",
                     n ? json_real(strtod(digits, NULL)) : json_null());
}

static json_t *table_json(const struct bench_table *t) {
    json_t *columns = json_array(), *rows = json_array();
    int count = 0;
    for (; count < TABLE_COLUMNS && t->column[count].heading; count++)
        json_array_append_new(columns, json_pack("{ss ss ss}", "heading", t->column[count].heading,
                                                 "operation", bench_kinds[t->column[count].op].name, "type",
                                                 bench_suffixes[t->column[count].type]));
    for (int r = 0; r < TABLE_ROWS && t->row[r].system; r++) {
        json_t *cells = json_array();
        for (int c = 0; c < count; c++)
            json_array_append_new(cells, paper_cell(t->row[r].cell[c]));
        json_array_append_new(rows, json_pack("{ss so}", "system", t->row[r].system, "cells", cells));
    }
    return json_pack("{si ss so so}", "number", t->number, "title", t->title, "columns", columns, "rows",
                     rows);
}

static json_t *result_json(const struct bench *b, int i, int c, int s) {
    const struct bench_figures *f = bench_figures(b, i, c, s);
    int op = b->cell[c].op, type = b->cell[c].type;
    json_t *result =
        json_pack("{ss ss si ss ss sb s{sf sf sf sf} si si}", "operation", bench_kinds[op].name, "type",
                  bench_suffixes[type], "pes", b->options.counts[i], "side", b->side[s].key, "label",
                  b->side[s].label, "equivalent", b->side[s].support[op][type] == BENCH_EQUIVALENT,
                  "nanoseconds", "minimum", f->least, "octile", f->octile, "median", f->median, "p99", f->p99,
                  "batches", (int)f->batches, "operations", (int)f->operations);
    if (op >= BENCH_OPS)
        json_object_set_new(result, "bytes", json_integer((json_int_t)b->cell[c].bytes));
    return result;
}

static json_t *ratio_json(const struct bench *b, int i, int c, int peer) {
    struct bench_ratio r = bench_ratio(b, i, c, peer);
    const struct bench_figures *bare = bench_figures(b, i, c, 1);
    double floor = bare->operations ? bench_figures(b, i, c, 0)->octile / bare->octile : 0;
    return json_pack("{ss ss si ss sb sf sf s[ff] so}", "operation", bench_kinds[b->cell[c].op].name, "type",
                     bench_suffixes[b->cell[c].type], "pes", b->options.counts[i], "peer",
                     b->side[r.side].key, "key", bench_is_key(b, c), "octile", r.octile, "median", r.median,
                     "rounds", r.round_least, r.round_greatest, "times_bare",
                     floor > 0 ? json_real(floor) : json_null());
}

json_t *bench_json(const struct bench *b) {
    char machine[400], date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    here_machine(machine, sizeof machine);
    json_t *results = json_array(), *ratios = json_array(), *tables = json_array(), *absent = json_array(),
           *others = json_array();
    for (int i = 0; i < b->options.count_count; i++)
        for (int c = 0; c < b->cells; c++)
            for (int s = 0; s < b->sides; s++) {
                if (bench_figures(b, i, c, s)->operations)
                    json_array_append_new(results, result_json(b, i, c, s));
                if (b->side[s].peer && bench_ratio(b, i, c, s).side)
                    json_array_append_new(ratios, ratio_json(b, i, c, s));
            }
    for (size_t t = 0; t < sizeof bench_tables / sizeof *bench_tables; t++)
        if (b->options.tables[bench_tables[t].number])
            json_array_append_new(tables, table_json(&bench_tables[t]));
    for (int i = 0; i < b->options.count_count; i++)
        json_array_append_new(others, json_pack("{si sf sb}", "pes", b->options.counts[i], "processors",
                                                b->others[i], "disturb", bench_is_busy(b, i)));
    for (int i = 0; i < b->absents; i++)
        json_array_append_new(absent, json_string(b->absent[i]));
    return json_pack("{ss ss ss si ss sf si so so so so so}", "unisono", UNISONO_VERSION, "date", date,
                     "machine", machine, "processors", uno_processors(), "unit",
                     b->options.threads ? "thread" : "shm", "seconds", b->options.seconds, "repetitions",
                     b->options.rounds, "absent", absent, "others", others, "results", results, "ratios",
                     ratios, "tables", tables);
}

json_t *bench_json_all(const struct bench *const *benches, const struct limits *l) {
    json_t *json = bench_json(*benches);
    while (*++benches) {
        json_t *other = bench_json(*benches);
        json_array_extend(json_object_get(json, "results"), json_object_get(other, "results"));
        json_array_extend(json_object_get(json, "ratios"), json_object_get(other, "ratios"));
        json_decref(other);
    }
    json_object_set_new(json, "limits", limits_json(l));
    json_object_set_new(json, "mode", json_string(l->mode));
    return json;
}

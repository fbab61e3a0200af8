#include "drive.h"

#include "failure.h"
#include "json.h"
#include "measure.h"
#include "report.h"
#include "results.h"
#include "sides.h"

static struct bench measured, *const b = &measured;

static void add_cell(int op, int type) {
    for (int c = 0; c < b->cells; c++)
        if (b->cell[c].op == op && b->cell[c].type == type)
            return;
    b->cell[b->cells].op = op;
    b->cell[b->cells++].type = type;
}

static bool is_any(const bool *chosen, int count) {
    while (count > 0)
        if (chosen[--count])
            return true;
    return false;
}

/* The operations asked for or of the chosen tables; each with the types asked for or those of its tables, and
 * 64-bit matches, so that every operation is there with 8 bytes. */
static void choose(const struct bench_options *o) {
    bool by_name = is_any(o->ops, BENCH_OPS);
    for (size_t t = 0; t < sizeof bench_tables / sizeof *bench_tables; t++)
        for (int c = 0; c < TABLE_COLUMNS && bench_tables[t].column[c].heading; c++) {
            int op = bench_tables[t].column[c].op, type = bench_tables[t].column[c].type;
            if (!o->tables[bench_tables[t].number] || (by_name && !o->ops[op]))
                continue;
            if (!o->types_given || type == BENCH_TYPE_)
                add_cell(op, type);
            if (!o->types_given && (op == BENCH_OP_match || op == BENCH_OP_matchCount))
                add_cell(op, BENCH_TYPE_64);
            for (int y = 1; y < BENCH_TYPE_COUNT; y++)
                if (o->types[y] && bench_has_type(op, y))
                    add_cell(op, y);
        }
    if (b->cells == 0)
        bench_reject("these operations, types and tables have nothing in common");
}

static json_t *measure(const struct bench_options *options, bool report) {
    b->options = *options;
    bench_sides_find(b);
    bench_measure(b);
    if (report)
        bench_report(b);
    return bench_json(b);
}

static const struct argp_option accepted[] = {
    BENCH_PES("1", "2,4"),
    {"tables", BENCH_TABLES, "LIST", 0, "Tables of the paper, as 2,5-8 (default 2-20)", 0},
    {"op", BENCH_OPERATION, "LIST", 0, "Operations, as wait,reduceAdd (default: those of the tables)", 0},
    {"type", BENCH_TYPE, "LIST", 0, "Types, of 8,8u,16,16u,32,32u,64,64u,f,d (default: those of the tables)",
     0},
    BENCH_UNITS,
    BENCH_COMMON("60", "operation", "Draw the latency by operation and by number of PEs"),
};

const struct bench_subject bench_subject_tables = {
    .name = "unisono bench",
    .plot = "plot.py",
    .doc = "Measure the operations of the PAPERS library, and those of MPICH and Open MPI in the same run, "
           "and print them beside Tables 2 to 20 of the 1995 paper."
           "\vThe exit status is 1 if a result was wrong or a side broke off. See unisono-bench(1).",
    .options = accepted,
    .standard = {.counts = {2, 4}, .count_count = 2, .seconds = 60, .rounds = 20, .peers = "auto"},
    .check = choose,
    .measure = measure,
};

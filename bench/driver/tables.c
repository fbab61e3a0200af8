#include "tables.h"

#include "failure.h"
#include "json.h"
#include "measure.h"
#include "report.h"
#include "sides.h"

static void add_cell(struct bench *b, int op, int type) {
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
void bench_choose_tables(struct bench *b) {
    const struct bench_options *o = &b->options;
    bool by_name = is_any(o->ops, BENCH_OPS);
    for (size_t t = 0; t < sizeof bench_tables / sizeof *bench_tables; t++)
        for (int c = 0; c < TABLE_COLUMNS && bench_tables[t].column[c].heading; c++) {
            int op = bench_tables[t].column[c].op, type = bench_tables[t].column[c].type;
            if (!o->tables[bench_tables[t].number] || (by_name && !o->ops[op]))
                continue;
            if (!o->types_given || type == BENCH_TYPE_)
                add_cell(b, op, type);
            if (!o->types_given && (op == BENCH_OP_match || op == BENCH_OP_matchCount))
                add_cell(b, op, BENCH_TYPE_64);
            for (int y = 1; y < BENCH_TYPE_COUNT; y++)
                if (o->types[y] && bench_has_type(op, y))
                    add_cell(b, op, y);
        }
    if (b->cells == 0)
        bench_reject("these operations, types and tables have nothing in common");
}

json_t *bench_measure_tables(struct bench *b, bool report) {
    bench_sides_find(b);
    bench_measure(b);
    if (report)
        bench_report(b);
    return bench_json(b);
}

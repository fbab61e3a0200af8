/* unisono bench: the tables of the 1995 paper with today's figures, beside MPI libraries in the same run. */

#define _GNU_SOURCE
#include "bench.h"

#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/launch.h"

/* ---- cells ------------------------------------------------------------------------------------------- */

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
static void choose_cells(struct bench *b) {
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

/* ---- the command ------------------------------------------------------------------------------------- */

static void interrupt(int number) {
    bench_interrupted = number;
}

static FILE *open_file(const char *option, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        bench_reject("%s %s: %s", option, path, strerror(errno));
    return file;
}

static json_t *tables(struct bench *b, bool report) {
    bench_sides_find(b);
    bench_measure(b);
    if (report)
        bench_report(b);
    return bench_json(b);
}

/* Fewer words than an option: what is measured is another thing. */
static bool is_vertex(int argc, char **argv) {
    return argc > 1 && strcmp(argv[1], "vertex") == 0;
}

static json_t *measure(struct bench *b, bool vertex, bool report) {
    return vertex              ? bench_vertex(&b->options, report)
           : b->options.limits ? bench_limits(&b->options, report)
                               : tables(b, report);
}

/* The command line is that of `unisono bench`, which becomes this program, with that as its name. */
int main(int argc, char **argv) {
    static struct bench b;
    argp_program_version = "unisono " UNISONO_VERSION;
    argp_err_exit_status = UNO_EXIT_USAGE;
    bool vertex = is_vertex(argc, argv);
    if (vertex) {
        argv[1] = "unisono bench vertex";
        bench_parse_vertex(&b.options, argc - 1, argv + 1);
    } else {
        bench_parse(&b.options, argc, argv);
        if (!b.options.limits)
            choose_cells(&b);
    }
    bool to_stdout = b.options.json && strcmp(b.options.json, "-") == 0;
    FILE *json_file = !b.options.json ? NULL : to_stdout ? stdout : open_file("--json", b.options.json);
    if (b.options.plot)
        fclose(open_file("--plot", b.options.plot));
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    json_t *json = measure(&b, vertex, !to_stdout);
    if (json_file && (json_dumpf(json, json_file, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) ||
                      fputc('\n', json_file) == EOF || fclose(json_file)))
        bench_fail(&b, "cannot write %s: %m", b.options.json);
    if (b.options.plot)
        bench_plot(&b, json, vertex ? "plot_vertex.py" : "plot.py", b.options.plot);
    json_decref(json);
    return 0;
}

/* unisono bench: the tables of the 1995 paper with today's figures, beside MPI libraries in the same run. */

#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"

static const char usage[] =
    "usage: unisono bench [options]\n"
    "\n"
    "Measure the operations of the PAPERS library, and the same of MPICH and Open MPI in the same run, and\n"
    "print them beside Tables 2 to 20 of the 1995 paper.\n"
    "\n"
    "  -n LIST               numbers of PEs, 1 to 64 each (default 2,4)\n"
    "      --tables LIST     tables of the paper, as 2,5-8 (default 2-20)\n"
    "      --op LIST         operations, as wait,reduceAdd (default: those of the tables)\n"
    "      --type LIST       types, of 8,8u,16,16u,32,32u,64,64u,f,d (default: those of the tables)\n"
    "      --unit UNIT       shm: PEs are processes (default); thread: PEs are threads\n"
    "      --seconds S       time to measure for, in all; a slow peer takes more (default 60)\n"
    "      --quick           the same as --seconds 8 --repetitions 5\n"
    "      --repetitions N   turns that every side gets for every operation, 1 to 1000 (default 20)\n"
    "      --peers LIST      auto: what was there when Unisono was built (default); none; or of "
    "mpich,openmpi\n"
    "      --json FILE       all figures as JSON; \"-\": to standard output, in place of the tables\n"
    "      --plot FILE       a picture (PNG): latency by operation and by number of PEs\n"
    "      --help            this text\n";

void bench_reject(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "unisono bench: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "; see `unisono bench --help`\n");
    va_end(arguments);
    exit(2);
}

/* ---- options ----------------------------------------------------------------------------------------- */

/* A whole number within the bounds, and nothing behind it but `end`. */
static bool number(const char **text, long least, long greatest, long *value) {
    char *rest;
    errno = 0;
    if (**text < '0' || **text > '9')
        return false;
    *value = strtol(*text, &rest, 10);
    *text = rest;
    return !errno && *value >= least && *value <= greatest;
}

static void parse_counts(struct bench_options *o, const char *list) {
    o->count_count = 0;
    for (const char *at = list;; at++) {
        long n;
        if (!number(&at, 1, BENCH_MAX_PES, &n) || (*at && *at != ','))
            bench_reject("-n %s: a list of numbers of PEs is needed, as 2,4,8, each 1 to %d", list,
                         BENCH_MAX_PES);
        if (o->count_count == MAX_COUNTS)
            bench_reject("-n %s: more than %d numbers", list, MAX_COUNTS);
        o->counts[o->count_count++] = (int)n;
        if (!*at)
            return;
    }
}

static void parse_tables(struct bench_options *o, const char *list) {
    memset(o->tables, 0, sizeof o->tables);
    for (const char *at = list;; at++) {
        long from, to;
        bool good = number(&at, FIRST_TABLE, LAST_TABLE, &from);
        to = from;
        if (good && *at == '-') {
            at++;
            good = number(&at, from, LAST_TABLE, &to);
        }
        if (!good || (*at && *at != ','))
            bench_reject("--tables %s: a list of numbers from %d to %d is needed, as 2,5-8", list,
                         FIRST_TABLE, LAST_TABLE);
        for (long t = from; t <= to; t++)
            o->tables[t] = true;
        if (!*at)
            return;
    }
}

static int find_operation(const char *name) {
    for (int op = 0; op < BENCH_OPS; op++)
        if (strcmp(name, bench_kinds[op].name) == 0 || strcmp(name, bench_kinds[op].name + 2) == 0)
            return op;
    bench_reject(
        "--op %s: there is no such operation to measure; it is, for instance, wait, reduceAdd or match",
        name);
}

static int find_type(const char *name) {
    for (int type = 1; type < BENCH_TYPE_COUNT; type++)
        if (strcmp(name, bench_suffixes[type]) == 0)
            return type;
    bench_reject("--type %s: there is no such type; it is one of 8, 8u, 16, 16u, 32, 32u, 64, 64u, f, d",
                 name);
}

static void parse_names(const char *list, int (*find)(const char *name), bool *chosen, size_t size) {
    memset(chosen, 0, size);
    for (const char *at = list;; at++) {
        char name[32];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        chosen[find(name)] = true;
        at += length;
        if (!*at)
            return;
    }
}

static double parse_seconds(const char *text) {
    char *end;
    double seconds = strtod(text, &end);
    if (end == text || *end || !(seconds > 0 && seconds <= 100000))
        bench_reject("--seconds %s: a number of seconds above 0 is needed, at most 100000", text);
    return seconds;
}

static int parse_rounds(const char *text) {
    const char *at = text;
    long rounds;
    if (!number(&at, 1, MAX_ROUNDS, &rounds) || *at)
        bench_reject("--repetitions %s: a number from 1 to %d is needed", text, MAX_ROUNDS);
    return (int)rounds;
}

static void parse_option(struct bench_options *o, int option, const char *argument) {
    switch (option) {
    case 'n':
        parse_counts(o, argument);
        break;
    case 't':
        parse_tables(o, argument);
        break;
    case 'o':
        parse_names(argument, find_operation, o->ops, sizeof o->ops);
        break;
    case 'y':
        parse_names(argument, find_type, o->types, sizeof o->types);
        o->types_given = true;
        break;
    case 'u':
        if (strcmp(argument, "shm") && strcmp(argument, "thread"))
            bench_reject("--unit %s: it is shm or thread", argument);
        o->threads = strcmp(argument, "thread") == 0;
        break;
    case 's':
        o->seconds = parse_seconds(argument);
        break;
    case 'q':
        o->seconds = 8;
        o->rounds = 5;
        break;
    case 'r':
        o->rounds = parse_rounds(argument);
        break;
    case 'p':
        o->peers = argument;
        break;
    case 'j':
        o->json = argument;
        break;
    case 'P':
        o->plot = argument;
        break;
    case 'h':
        fputs(usage, stdout);
        exit(0);
    default:
        exit(2); /* getopt has said what is wrong */
    }
}

static void parse(struct bench_options *o, int argc, char **argv) {
    static const struct option options[] = {
        {"tables", required_argument, 0, 't'},
        {"op", required_argument, 0, 'o'},
        {"type", required_argument, 0, 'y'},
        {"unit", required_argument, 0, 'u'},
        {"seconds", required_argument, 0, 's'},
        {"quick", no_argument, 0, 'q'},
        {"repetitions", required_argument, 0, 'r'},
        {"peers", required_argument, 0, 'p'},
        {"json", required_argument, 0, 'j'},
        {"plot", required_argument, 0, 'P'},
        {"help", no_argument, 0, 'h'},
        {0},
    };
    *o = (struct bench_options){
        .counts = {2, 4}, .count_count = 2, .seconds = 60, .rounds = 20, .peers = "auto"};
    memset(o->tables, true, sizeof o->tables);
    int option;
    argv[0] = (char *)"unisono bench";
    while ((option = getopt_long(argc, argv, "n:", options, NULL)) != -1)
        parse_option(o, option, optarg);
    if (optind < argc)
        bench_reject("%s: this command takes options only", argv[optind]);
}

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

int command_bench(int argc, char **argv) {
    static struct bench b;
    parse(&b.options, argc, argv);
    choose_cells(&b);
    bool to_stdout = b.options.json && strcmp(b.options.json, "-") == 0;
    FILE *json_file = !b.options.json ? NULL : to_stdout ? stdout : open_file("--json", b.options.json);
    if (b.options.plot)
        fclose(open_file("--plot", b.options.plot));
    bench_sides_find(&b);
    struct sigaction action = {.sa_handler = interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    bench_measure(&b);
    if (!to_stdout)
        bench_report(&b);
    json_t *json = bench_json(&b);
    if (json_file && (json_dumpf(json, json_file, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) ||
                      fputc('\n', json_file) == EOF || fclose(json_file)))
        bench_fail(&b, "cannot write %s: %m", b.options.json);
    if (b.options.plot)
        bench_plot(&b, json, b.options.plot);
    json_decref(json);
    return 0;
}

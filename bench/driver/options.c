#include "options.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "failure.h"

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

enum { TABLES = 256, OPERATIONS, TYPES, UNIT, SECONDS, QUICK, REPETITIONS, PEERS, LIMITS, JSON, PLOT, HTML };

static const struct argp_option options[] = {
    {"pes", 'n', "LIST", 0, "Numbers of PEs, 1 to 64 each (default 2,4)", 0},
    {"tables", TABLES, "LIST", 0, "Tables of the paper, as 2,5-8 (default 2-20)", 0},
    {"op", OPERATIONS, "LIST", 0, "Operations, as wait,reduceAdd (default: those of the tables)", 0},
    {"type", TYPES, "LIST", 0, "Types, of 8,8u,16,16u,32,32u,64,64u,f,d (default: those of the tables)", 0},
    {"unit", UNIT, "UNIT", 0, "shm: PEs are processes (default); thread: PEs are threads", 0},
    {"seconds", SECONDS, "S", 0, "How long to measure, in all; slow peers take more (default 60)", 0},
    {"quick", QUICK, NULL, 0, "The same as --seconds 8 --repetitions 5", 0},
    {"repetitions", REPETITIONS, "N", 0, "Turns of each side for each operation, 1 to 1000 (default 20)", 0},
    {"peers", PEERS, "LIST", 0,
     "auto: those that were there when Unisono was built (default); none; or of mpich,openmpi", 0},
    {"limits", LIMITS, NULL, 0, "Show the goals of Unisono, what is measured, and whether each is held", 0},
    {"json", JSON, "FILE", 0, "Write all figures as JSON; -: to standard output, in place of the tables", 0},
    {"html", HTML, "FILE", 0, "Write all figures as a page with charts, for a browser", 0},
    {"plot", PLOT, "FILE", 0, "Draw the latency by operation and by number of PEs, as PNG", 0},
    {0},
};

/* What to measure is given: of `vertex` and of `mpi`. */
static const struct argp_option given_options[] = {
    {"seconds", SECONDS, "S", 0, "How long to measure, in all; slow peers take more (default 120)", 0},
    {"quick", QUICK, NULL, 0, "The same as --seconds 8 --repetitions 5", 0},
    {"repetitions", REPETITIONS, "N", 0, "Turns of each side for each pattern, 1 to 1000 (default 20)", 0},
    {"peers", PEERS, "LIST", 0,
     "auto: those that were there when Unisono was built (default); none; or of mpich,openmpi", 0},
    {"json", JSON, "FILE", 0, "Write all figures as JSON; -: to standard output, in place of the tables", 0},
    {"html", HTML, "FILE", 0, "Write all figures as a page with charts, for a browser", 0},
    {"plot", PLOT, "FILE", 0, "Draw the figures by the size of messages, as PNG", 0},
    {0},
};

static const struct argp_option exchange_options[] = {
    {"pes", 'n', "LIST", 0, "Numbers of PEs, 2 to 64 each (default 2,4,8)", 0},
    {"unit", UNIT, "UNIT", 0, "shm: PEs are processes (default); thread: PEs are threads", 0},
    {"seconds", SECONDS, "S", 0, "How long to measure, in all; slow peers take more (default 120)", 0},
    {"quick", QUICK, NULL, 0, "The same as --seconds 8 --repetitions 5", 0},
    {"repetitions", REPETITIONS, "N", 0, "Turns of each side for each size, 1 to 1000 (default 20)", 0},
    {"peers", PEERS, "LIST", 0,
     "auto: those that were there when Unisono was built (default); none; or of mpich,openmpi", 0},
    {"json", JSON, "FILE", 0, "Write all figures as JSON; -: to standard output, in place of the tables", 0},
    {"html", HTML, "FILE", 0, "Write all figures as a page with charts, for a browser", 0},
    {"plot", PLOT, "FILE", 0, "Draw times by the size of blocks, and rates of permutations, as PNG", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct bench_options *o = state->input;
    o->chosen |= key == 'n' || key == TABLES || key == OPERATIONS || key == TYPES || key == UNIT;
    switch (key) {
    case 'n':
        parse_counts(o, argument);
        return 0;
    case TABLES:
        parse_tables(o, argument);
        return 0;
    case OPERATIONS:
        parse_names(argument, find_operation, o->ops, sizeof o->ops);
        return 0;
    case TYPES:
        parse_names(argument, find_type, o->types, sizeof o->types);
        o->types_given = true;
        return 0;
    case UNIT:
        if (strcmp(argument, "shm") && strcmp(argument, "thread"))
            bench_reject("--unit %s: it is shm or thread", argument);
        o->threads = strcmp(argument, "thread") == 0;
        return 0;
    case SECONDS:
        o->seconds = parse_seconds(argument);
        return 0;
    case QUICK:
        o->seconds = 8;
        o->rounds = 5;
        return 0;
    case REPETITIONS:
        o->rounds = parse_rounds(argument);
        return 0;
    case PEERS:
        o->peers = argument;
        return 0;
    case LIMITS:
        o->limits = true;
        return 0;
    case JSON:
        o->json = argument;
        return 0;
    case PLOT:
        o->plot = argument;
        return 0;
    case HTML:
        o->html = argument;
        return 0;
    case ARGP_KEY_ARG:
        bench_reject("%s: this command takes options only", argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void bench_parse(struct bench_options *o, int argc, char **argv) {
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Measure the operations of the PAPERS library, and the same of MPICH and Open MPI in the same "
               "run, "
               "and print them beside Tables 2 to 20 of the 1995 paper."
               "\vThe exit status is 1 if a result was wrong or a side broke off. See unisono-bench(1).",
    };
    *o = (struct bench_options){
        .counts = {2, 4}, .count_count = 2, .seconds = 60, .rounds = 20, .peers = "auto"};
    memset(o->tables, true, sizeof o->tables);
    parse_options(&argp, argc, argv, 0, o);
    if (o->limits && o->chosen)
        bench_reject(
            "--limits goes without -n, --tables, --op, --type and --unit: the goals say what to measure");
}

void bench_parse_vertex(struct bench_options *o, int argc, char **argv) {
    static const struct argp argp = {
        .options = given_options,
        .parser = parse,
        .doc = "Measure messages between PEs and the edge detector, beside MPICH and Open MPI in the same "
               "run, and "
               "print Tables 1 to 3 of the 1987 paper with rows of today, and the goals of Unisono."
               "\vThe exit status is 1 if a message or a pixel was wrong or a side broke off. See "
               "unisono-bench(1).",
    };
    *o = (struct bench_options){.seconds = 120, .rounds = 20, .peers = "auto"};
    parse_options(&argp, argc, argv, 0, o);
}

void bench_parse_mpi(struct bench_options *o, int argc, char **argv) {
    static const struct argp argp = {
        .options = given_options,
        .parser = parse,
        .doc = "Measure what each layer of Unisono's MPI library adds to the one below, and the programs of "
               "the paper about rMPI, beside MPICH and Open MPI in the same run, and the goals of Unisono."
               "\vThe exit status is 1 if a message or a result was wrong or a side broke off. See "
               "unisono-bench(1).",
    };
    *o = (struct bench_options){.seconds = 120, .rounds = 20, .peers = "auto"};
    parse_options(&argp, argc, argv, 0, o);
}

void bench_parse_exchange(struct bench_options *o, int argc, char **argv) {
    static const struct argp argp = {
        .options = exchange_options,
        .parser = parse,
        .doc = "Measure all-to-all exchanges of blocks of 8 bytes to 16 MB, and permutations, beside MPICH, "
               "Open MPI and a "
               "plain copy in "
               "the same run, in several orders, and the goals of Unisono."
               "\vThe exit status is 1 if a byte was wrong or a side broke off. See unisono-bench(1).",
    };
    *o = (struct bench_options){
        .counts = {2, 4, 8}, .count_count = 3, .seconds = 120, .rounds = 20, .peers = "auto"};
    parse_options(&argp, argc, argv, 0, o);
    for (int i = 0; i < o->count_count; i++)
        if (o->counts[i] < 2)
            bench_reject("-n %d: an exchange takes at least 2 PEs", o->counts[i]);
}

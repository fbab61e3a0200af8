#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/options.h"
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

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct bench_options *o = state->input;
    switch (key) {
    case 'n':
        parse_counts(o, argument);
        return 0;
    case BENCH_TABLES:
        parse_tables(o, argument);
        return 0;
    case BENCH_OPERATION:
        parse_names(argument, find_operation, o->ops, sizeof o->ops);
        return 0;
    case BENCH_TYPE:
        parse_names(argument, find_type, o->types, sizeof o->types);
        o->types_given = true;
        return 0;
    case BENCH_PARTS:
        o->parts = argument;
        return 0;
    case BENCH_UNIT:
        if (strcmp(argument, "shm") && strcmp(argument, "thread"))
            bench_reject("--unit %s: it is shm or thread", argument);
        o->threads = strcmp(argument, "thread") == 0;
        return 0;
    case BENCH_SECONDS:
        o->seconds = parse_seconds(argument);
        return 0;
    case BENCH_QUICK:
        o->quick = true;
        o->seconds = 8;
        o->rounds = 5;
        return 0;
    case BENCH_REPETITIONS:
        o->rounds = parse_rounds(argument);
        return 0;
    case BENCH_PEERS:
        o->peers = argument;
        return 0;
    case BENCH_JSON:
        o->json = argument;
        return 0;
    case BENCH_PLOT:
        o->plot = argument;
        return 0;
    case BENCH_HTML:
        o->html = argument;
        return 0;
    case ARGP_KEY_ARG:
        bench_reject("%s: this command takes options only", argument);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void bench_parse(struct bench_options *o, const struct argp_option *accepted, const char *doc, int argc,
                 char **argv) {
    const struct argp argp = {.options = accepted, .parser = parse, .doc = doc};
    memset(o->tables, true, sizeof o->tables);
    parse_options(&argp, argc, argv, 0, o);
}

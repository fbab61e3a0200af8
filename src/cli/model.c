/* unisono model: the copy-transfer model's predictions for permutations and a sort on this machine, and their
 * measured times. `unisono model schedule` is model/schedule.c. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "engine/processors.h"
#include "launch/exit.h"
#include "cli/model/schedule.h"
#include "model/report.h"
#include "model/sort_report.h"
#include "common/options.h"
#include "common/print.h"

enum { MEGABYTES = 256, REPETITIONS, RECORDS, PLOT, MOST_MEGABYTES = 1 << 16, MOST_REPETITIONS = 1000 };
enum { LEAST_RECORDS = 1024 };

struct request {
    int n, repetitions, records;
    size_t words;
    bool json;
    const char *plot; /* a file that can be written, or NULL */
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    size_t megabytes;
    switch (key) {
    case 'n':
        request->n = parse_pes(argument, state);
        return 0;
    case MEGABYTES:
        megabytes = (size_t)parse_whole("megabytes", argument, MOST_MEGABYTES, state);
        if (megabytes & (megabytes - 1))
            argp_failure(state, UNO_EXIT_USAGE, 0, "--megabytes %s: not a power of 2", argument);
        request->words = (megabytes << 20) / 8;
        return 0;
    case REPETITIONS:
        request->repetitions = parse_whole("repetitions", argument, MOST_REPETITIONS, state);
        return 0;
    case RECORDS:
        request->records = parse_whole("records", argument, UNO_MODEL_MOST_RECORDS, state);
        if (request->records < LEAST_RECORDS)
            argp_failure(state, UNO_EXIT_USAGE, 0, "--records %s: fewer than %d", argument, LEAST_RECORDS);
        return 0;
    case PLOT:
        request->plot = parse_plot(argument, state);
        return 0;
    default:
        return parse_json(key, argument, state, &request->json);
    }
}

static const struct argp_option options[] = {
    {"pes", 'n', "N", 0, "Number of PEs, which are threads (default: the number of processors)", 0},
    {"megabytes", MEGABYTES, "M", 0, "Size of each PE's part of an array, a power of 2 (default 64)", 0},
    {"records", RECORDS, "N", 0,
     "Number of records to sort (default: the number of 8-byte words in all parts)", 0},
    {"repetitions", REPETITIONS, "N", 0, "Repetitions of each loop, whose least time counts (default 5)", 0},
    {"plot", PLOT, "FILE", 0, "Draw both tables, as PNG", 0},
    {"json", 'j', NULL, 0, "Write a JSON object", 0},
    {0},
};

int command_model(int argc, char **argv) {
    static const struct argp argp = {.options = options,
                                     .parser = parse,
                                     .doc = "Measure how fast this machine loads and stores by several "
                                            "patterns, calculate from that how fast it can "
                                            "permute and sort an array, measure that too, and print both "
                                            "beside Tables 2 and 3 of Stricker and Hardwick (1996). "
                                            "`unisono model schedule` calculates what operations of PEs on "
                                            "several nodes cost."};
    struct request request = {.n = uno_processors(), .repetitions = 5, .words = (64u << 20) / 8};
    struct uno_measured measured;
    struct uno_sort_measured sorted[UNO_MODEL_KEYS];
    if (argc > 1 && strcmp(argv[1], "schedule") == 0)
        return model_schedule(argc - 1, argv + 1);
    parse_options(&argp, argc, argv, 0, &request);
    size_t words = request.words * (size_t)request.n, most = UNO_MODEL_MOST_RECORDS;
    uint64_t records = request.records ? (uint64_t)request.records : words < most ? words : most;
    if (!uno_model_measure(request.n, request.words, request.repetitions, &measured) ||
        !uno_model_sort_measure(request.n, records, request.repetitions, sorted)) {
        fprintf(stderr, "unisono model: not enough memory; --megabytes and --records take less\n");
        return EXIT_FAILURE;
    }
    json_t *json = uno_model_json(&measured, request.n, request.words);
    json_object_set_new(json, "sort", uno_model_sort_json(sorted));
    bool drawn = !request.plot || print_plot("unisono model", "plot_model.py", json, request.plot);
    if (request.json) {
        int status = print_json(json, "unisono model");
        return drawn ? status : EXIT_FAILURE;
    }
    json_decref(json);
    uno_model_print(&measured, request.n, request.words);
    uno_model_sort_print(sorted);
    int status = print_end("unisono model");
    return drawn ? status : EXIT_FAILURE;
}

/* unisono model: what the copy-transfer model says of permutations on this machine, and what is measured. */

#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "engine/processors.h"
#include "launch/exit.h"
#include "model/report.h"
#include "options.h"
#include "print.h"

enum { MEGABYTES = 256, REPETITIONS, MOST_MEGABYTES = 1 << 16, MOST_REPETITIONS = 1000 };

struct request {
    int n, repetitions;
    size_t words;
    bool json;
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
    default:
        return parse_json(key, argument, state, &request->json);
    }
}

static const struct argp_option options[] = {
    {"pes", 'n', "N", 0, "PEs, which are threads; as many as there are processors", 0},
    {"megabytes", MEGABYTES, "M", 0, "Of the part of a PE, a power of 2; 64", 0},
    {"repetitions", REPETITIONS, "N", 0, "Of each loop, of which the least time counts; 5", 0},
    {"json", 'j', NULL, 0, "Write a JSON object", 0},
    {0},
};

int command_model(int argc, char **argv) {
    static const struct argp argp = {.options = options,
                                     .parser = parse,
                                     .doc = "Measure how fast this machine loads and stores by several "
                                            "patterns, calculate from that how fast it can "
                                            "permute an array, measure that too, and print both beside Table "
                                            "2 of Stricker and Hardwick (1996)."};
    struct request request = {.n = uno_processors(), .repetitions = 5, .words = (64u << 20) / 8};
    struct uno_measured measured;
    parse_options(&argp, argc, argv, 0, &request);
    if (!uno_model_measure(request.n, request.words, request.repetitions, &measured)) {
        fprintf(stderr, "unisono model: not enough memory; --megabytes takes less\n");
        return EXIT_FAILURE;
    }
    if (request.json)
        return print_json(uno_model_json(&measured, request.n, request.words), "unisono model");
    uno_model_print(&measured, request.n, request.words);
    return print_end("unisono model");
}

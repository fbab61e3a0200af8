/* unisono torus: calculate how fast all PEs of a torus can send to all others, and Table 1 of the paper. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "launch/exit.h"
#include "common/options.h"
#include "common/print.h"
#include "torus/names.h"
#include "torus/report.h"

enum { SIDES = 256, PES, LINK, PAYLOAD, RESPONSE, CAP, ORDER, TIES, DISTANCE, CORNER, SERVICE, OTHERS, PLOT };

struct request {
    struct uno_torus torus;
    const char *order, *service;               /* read when the sides are known */
    const char *plot;                          /* a file that can be written, or NULL */
    const char *only_schedule;                 /* an option that Table 1 sets itself */
    bool table, unphased, json;                /* table: no schedule was given */
    const struct uno_torus_schedule *schedule; /* NULL: unphased, or the table */
};

static int parse_word(const char *option, const char *const *words, const char *text,
                      const struct argp_state *state) {
    int word = uno_torus_word(words, text);
    if (word >= 0)
        return word;
    char all[128] = "";
    for (int i = 0; words[i]; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", words[i]);
    argp_failure(state, UNO_EXIT_USAGE, 0, "--%s %s: there are %s", option, text, all);
    return 0;
}

static void parse_schedule(const char *text, struct request *request, const struct argp_state *state) {
    request->table = false;
    request->unphased = strcmp(text, "unphased") == 0;
    request->schedule = uno_torus_schedule_named(text);
    if (!request->schedule && !request->unphased)
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--schedule %s: there are shift, xor, reflected, quarter, balanced, unphased", text);
}

/* Check the options that depend on each other. */
static void complete(struct request *request, const struct argp_state *state) {
    struct uno_torus *t = &request->torus;
    long all = (long)uno_torus_nodes(t) * t->pes;
    if (all > UNO_TORUS_PES)
        argp_failure(state, UNO_EXIT_USAGE, 0, "%ld PEs; at most %d are calculated", all, UNO_TORUS_PES);
    if (request->order && !uno_torus_read_order(t, request->order))
        argp_failure(state, UNO_EXIT_USAGE, 0, "--order %s: not the %d first of the letters %s, each once",
                     request->order, t->dimensions, uno_torus_letters);
    if (!request->service && t->service_dimension >= t->dimensions)
        t->service_nodes = 0;
    if (request->service && !uno_torus_read_service(t, request->service))
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--service %s: not none, nor DIMENSION:NODES:RINGS, as y:1:2, for this torus",
                     request->service);
    if (request->table && request->only_schedule)
        argp_failure(state, UNO_EXIT_USAGE, 0, "--%s is for --schedule; in Table 1 every row has its own",
                     request->only_schedule);
    int pes = uno_torus_pes(t);
    if (request->schedule && request->schedule->power_of_2 && pes & (pes - 1))
        argp_failure(state, UNO_EXIT_USAGE, 0, "--schedule %s needs a power of 2 PEs, and these are %d",
                     request->schedule->name, pes);
    if (request->plot)
        parse_plot(request->plot, state);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    struct uno_torus *t = &request->torus;
    switch (key) {
    case SIDES:
        if (!uno_torus_read_sides(t, argument))
            argp_failure(state, UNO_EXIT_USAGE, 0, "--sides %s: not 1 to %d sides of 1 to %d, as 8x4x8",
                         argument, UNO_TORUS_DIMENSIONS, UNO_TORUS_SIDE);
        return 0;
    case PES:
        t->pes = parse_whole("pes", argument, UNO_TORUS_PES, state);
        return 0;
    case LINK:
        t->link = parse_number("link", argument, 1e-3, 1e9, state);
        return 0;
    case PAYLOAD:
        t->payload = parse_number("payload", argument, 1e-3, 1, state);
        return 0;
    case RESPONSE:
        t->response = parse_number("response", argument, 0, 10, state);
        return 0;
    case CAP:
        t->cap = parse_number("cap", argument, 1e-3, 1e9, state);
        return 0;
    case ORDER:
        request->order = argument;
        return 0;
    case TIES:
        t->ties = (enum uno_torus_ties)parse_word("ties", uno_torus_ties_names, argument, state);
        return 0;
    case DISTANCE:
        t->distance =
            (enum uno_torus_distance)parse_word("distance", uno_torus_distance_names, argument, state);
        request->only_schedule = "distance";
        return 0;
    case CORNER:
        t->corner = (enum uno_torus_corner)parse_word("corner", uno_torus_corner_names, argument, state);
        request->only_schedule = "corner";
        return 0;
    case OTHERS:
        t->others = (enum uno_torus_others)parse_word("others", uno_torus_others_names, argument, state);
        return 0;
    case SERVICE:
        request->service = argument;
        return 0;
    case PLOT:
        request->plot = argument;
        return 0;
    case 's':
        parse_schedule(argument, request, state);
        return 0;
    case ARGP_KEY_END:
        complete(request, state);
        return 0;
    default:
        return parse_json(key, argument, state, &request->json);
    }
}

static const struct argp_option options[] = {
    {"schedule", 's', "NAME", 0,
     "Calculate one schedule, and not Table 1: shift, xor, reflected, quarter, balanced or unphased", 0},
    {"sides", SIDES, "AxBxC", 0, "Nodes in each dimension (default 8x4x8)", 0},
    {"pes", PES, "N", 0, "PEs on each node (default 2)", 0},
    {"link", LINK, "MB/S", 0, "Bandwidth of a link in one direction (default 300)", 0},
    {"payload", PAYLOAD, "SHARE", 0, "Share of the bandwidth that is data (default 0.5)", 0},
    {"response", RESPONSE, "SHARE", 0, "Bytes that return to the sender for each byte of data (default 0)",
     0},
    {"cap", CAP, "MB/S", 0, "Greatest rate at which a PE sends (default 69)", 0},
    {"order", ORDER, "LETTERS", 0, "Order in which a route goes through the dimensions (default xyz)", 0},
    {"ties", TIES, "WORD", 0,
     "Direction in a ring where both are equally long: up, parity (default) or quarters", 0},
    {"service", SERVICE, "D:N:R", 0,
     "Service nodes: N in each of the first R rings of dimension D (default y:1:2)", 0},
    {"distance", DISTANCE, "WORD", 0,
     "Length of a route past service nodes: compute, without them (default), or absolute, with them", 0},
    {"corner", CORNER, "WORD", 0,
     "Order of dimensions of a route past service nodes: correct (default) or reversed", 0},
    {"others", OTHERS, "WORD", 0,
     "Transfers that share a link with one when nothing keeps the PEs in step: kept, those that it met "
     "(default), or changing",
     0},
    {"json", 'j', NULL, 0, "Write a JSON object", 0},
    {"plot", PLOT, "FILE", 0, "Draw the table and the histograms of the rates, as PNG", 0},
    {0},
};

/* Calculate the rates: one for each row of a table, or those of a schedule. Returns false if memory is
 * short. */
static bool calculate(const struct request *request, struct uno_rates *rates) {
    const struct uno_torus *t = &request->torus;
    bool enough = true;
    if (!request->table)
        return request->schedule ? uno_torus_phased(t, request->schedule, rates)
                                 : uno_torus_unphased(t, rates);
    for (int i = 0; i < UNO_TABLE1_ROWS && enough; i++)
        enough = uno_table1_rates(t, &uno_table1[i], &rates[i]);
    return enough;
}

/* Print the results. Returns the exit status. */
static int show(const struct request *request, const struct uno_rates *rates) {
    const struct uno_torus *t = &request->torus;
    json_t *json = request->table ? uno_table1_json(t, rates) : uno_torus_json(t, request->schedule, rates);
    int status;
    if (request->json || !json) {
        status = print_json(json_incref(json), "unisono torus");
    } else {
        if (request->table)
            uno_table1_print(t, rates);
        else
            uno_torus_print(t, request->schedule, rates);
        status = print_end("unisono torus");
    }
    if (status == EXIT_SUCCESS && request->plot &&
        !print_plot("unisono torus", "plot_torus.py", json, request->plot))
        status = EXIT_FAILURE;
    json_decref(json);
    return status;
}

int command_torus(int argc, char **argv) {
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Calculate how fast all PEs of a torus can send to all others, from the load of the busiest "
               "link. "
               "Without --schedule: Table 1 of Stricker and Hardwick (1996), a reconstruction."};
    struct request request = {.torus = uno_torus_t3d, .table = true};
    parse_options(&argp, argc, argv, 0, &request);
    struct uno_rates rates[UNO_TABLE1_ROWS] = {{0}};
    int status = EXIT_FAILURE;
    if (calculate(&request, rates))
        status = show(&request, rates);
    else
        fprintf(stderr, "unisono torus: out of memory\n");
    for (int i = 0; i < UNO_TABLE1_ROWS; i++)
        uno_torus_release(&rates[i]);
    return status;
}

/* unisono model schedule: calculate what operations of PEs on several nodes cost between the nodes. */

#include "schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/options.h"
#include "cli/common/print.h"
#include "launch/exit.h"
#include "model/schedule_report.h"

enum { PER_NODE = 256, OP, TYPE, HEADER, LATENCY, OVERHEAD, GAP, PER_BYTE, PLOT };
enum { MOST_NUMBERS = 64 };

struct numbers {
    int count, number[MOST_NUMBERS];
};

struct request {
    struct uno_schedule_sweep sweep;
    struct numbers pes, per_node;
    bool json;
    const char *plot; /* a file that can be written, or NULL */
};

/* Call a function for each word of a list with commas. */
static void each_word(char *list, void (*call)(const char *word, struct request *, struct argp_state *),
                      struct argp_state *state) {
    char *copy = strdup(list), *rest = copy;
    if (!copy)
        argp_failure(state, EXIT_FAILURE, 0, "out of memory");
    for (char *word; (word = strsep(&rest, ","));)
        call(word, state->input, state);
    free(copy);
}

static void add(struct numbers *numbers, const char *option, const char *word, struct argp_state *state) {
    if (numbers->count == MOST_NUMBERS)
        argp_failure(state, UNO_EXIT_USAGE, 0, "--%s: more than %d numbers", option, MOST_NUMBERS);
    numbers->number[numbers->count++] = parse_whole(option, word, UNO_SCHEDULE_PES, state);
}

static void add_pes(const char *word, struct request *request, struct argp_state *state) {
    add(&request->pes, "pes", word, state);
}

static void add_per_node(const char *word, struct request *request, struct argp_state *state) {
    add(&request->per_node, "per-node", word, state);
}

static void add_op(const char *word, struct request *request, struct argp_state *state) {
    for (int op = 0; op < UNO_SCHEDULE_OPS; op++)
        if (strcmp(word, uno_schedule_ops[op].name) == 0) {
            request->sweep.op[op] = true;
            return;
        }
    argp_failure(state, UNO_EXIT_USAGE, 0, "--op %s: there are wait, max, sum and gather", word);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    struct uno_schedule_sweep *sweep = &request->sweep;
    switch (key) {
    case 'n':
        each_word(argument, add_pes, state);
        return 0;
    case PER_NODE:
        each_word(argument, add_per_node, state);
        return 0;
    case OP:
        each_word(argument, add_op, state);
        return 0;
    case TYPE:
        sweep->type = parse_whole("type", argument, UNO_SCHEDULE_TYPE, state);
        return 0;
    case HEADER:
        sweep->header = parse_whole("header", argument, UNO_SCHEDULE_HEADER, state);
        return 0;
    case LATENCY:
        sweep->net.latency = parse_number("latency", argument, 0, 1e6, state);
        return 0;
    case OVERHEAD:
        sweep->net.overhead = parse_number("overhead", argument, 0, 1e6, state);
        return 0;
    case GAP:
        sweep->net.gap = parse_number("gap", argument, 0, 1e6, state);
        return 0;
    case PER_BYTE:
        sweep->net.per_byte = parse_number("per-byte", argument, 0, 1e6, state) / 1e3;
        return 0;
    case PLOT:
        request->plot = parse_plot(argument, state);
        return 0;
    default:
        return parse_json(key, argument, state, &request->json);
    }
}

static const struct argp_option options[] = {
    {"pes", 'n', "LIST", 0, "Numbers of PEs, each 1 to 1000000 (default: 2, 4, 8 and so on, and 1000000)", 0},
    {"per-node", PER_NODE, "LIST", 0, "Numbers of PEs of a node (default 1,16,128)", 0},
    {"op", OP, "LIST", 0, "Operations: wait, max, sum and gather (default: all)", 0},
    {"type", TYPE, "BYTES", 0, "Size of a value (default 8)", 0},
    {"header", HEADER, "BYTES", 0, "Bytes of a message beside the values (default 32)", 0},
    {"latency", LATENCY, "US", 0, "LogGP's L: the time of a message in the network (default 10)", 0},
    {"overhead", OVERHEAD, "US", 0,
     "LogGP's o: the time that a processor takes to send a message, and to receive one (default 2)", 0},
    {"gap", GAP, "US", 0, "LogGP's g: the least time from one message of a node to the next (default 2)", 0},
    {"per-byte", PER_BYTE, "NS", 0, "LogGP's G: the time of each further byte (default 0.8)", 0},
    {"plot", PLOT, "FILE", 0, "Draw the tables, as PNG", 0},
    {"json", 'j', NULL, 0, "Write a JSON object", 0},
    {0},
};

/* Put in the lists that were not given. */
static void complete(struct request *request) {
    struct uno_schedule_sweep *sweep = &request->sweep;
    bool any = false;
    for (int op = 0; op < UNO_SCHEDULE_OPS; op++)
        any |= sweep->op[op];
    for (int op = 0; op < UNO_SCHEDULE_OPS && !any; op++)
        sweep->op[op] = true;
    if (!request->pes.count) {
        for (int pes = 2; pes < UNO_SCHEDULE_PES; pes *= 2)
            request->pes.number[request->pes.count++] = pes;
        request->pes.number[request->pes.count++] = UNO_SCHEDULE_PES;
    }
    if (!request->per_node.count)
        request->per_node = (struct numbers){3, {1, 16, 128}};
    sweep->pes = request->pes.number;
    sweep->pes_count = request->pes.count;
    sweep->per_node = request->per_node.number;
    sweep->per_node_count = request->per_node.count;
}

int model_schedule(int argc, char **argv) {
    static char name[] = "unisono model schedule";
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .doc = "Calculate what an operation of PEs on several nodes costs between the nodes: messages, "
               "bytes, steps, and the time by the LogGP model of a network. The network is that of the "
               "options; nothing is measured."};
    struct request request = {.sweep = {.type = 8, .header = 32, .net = {10, 2, 2, 0.8e-3}}};
    argv[0] = name;
    parse_options(&argp, argc, argv, 0, &request);
    complete(&request);
    json_t *json = request.json || request.plot ? uno_model_schedule_json(&request.sweep) : NULL;
    bool drawn = !request.plot || print_plot(name, "plot_schedule.py", json, request.plot);
    int status;
    if (request.json) {
        status = print_json(json, name);
    } else {
        json_decref(json);
        uno_model_schedule_print(&request.sweep);
        status = print_end(name);
    }
    return drawn ? status : EXIT_FAILURE;
}

/* unisono run: the options of the launcher. */

#define _GNU_SOURCE
#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "launch/exit.h"
#include "launch/gang.h"
#include "launch/hardware.h"
#include "launch/launch.h"
#include "launch/stats.h"
#include "commands.h"
#include "common/here.h"
#include "run/library.h"
#include "common/options.h"
#include "common/page.h"
#include "unit/unit.h"

enum { TAG = 256, BIND, GANG, TIMEOUT, STATS, HTML, TRACE, UNIT, CLOCK, PORT };

static const struct argp_option options[] = {
    {"pes", 'n', "N", 0, "Start N processes (PEs), 1 to 1024; they may be more than the processors", 0},
    {"tag", TAG, NULL, 0, "Mark each line of output with its PE", 0},
    {"out", 'o', "DIR", 0, "Write the output of PE k into DIR/k.out and DIR/k.err", 0},
    {"bind", BIND, NULL, 0, "Bind each PE to one processor, a core of its own while there are any", 0},
    {"gang", GANG, "NAME", OPTION_ARG_OPTIONAL,
     "Take turns on the processors with your other jobs that have this option, and this NAME if any: all "
     "PEs of one job run at a time",
     0},
    {"timeout", TIMEOUT, "S", 0,
     "After S seconds (a fraction is allowed) show where each PE waits, and end the job; exit status 124", 0},
    {"stats", STATS, "FILE", OPTION_ARG_OPTIONAL,
     "At the end, show the operations and the PEs that others waited for; or write that into FILE as JSON",
     0},
    {"html", HTML, "FILE", 0, "Write the figures of --stats into FILE, as a page with charts for a browser",
     0},
    {"trace", TRACE, "FILE", 0, "Write a timeline of all operations into FILE, for https://ui.perfetto.dev",
     0},
    {"unit", UNIT, "NAME", 0, "Let the PEs meet in the unit NAME, and not in shared memory", 0},
    {"clock", CLOCK, "MHZ", 0, "Clock of the simulated unit", 0},
    {"port-ns", PORT, "NS", 0, "Time of a port operation of a PE on the simulated unit", 0},
    {0},
};

static void parse_timeout(struct argp_state *state, const char *text, struct uno_launch *launch) {
    char *end;
    launch->timeout = strtod(text, &end);
    /* up to 30 years, in what CLOCK_MONOTONIC can hold; a NaN fails too */
    if (end == text || *end || !(launch->timeout > 0 && launch->timeout <= 1e9))
        argp_failure(state, UNO_EXIT_USAGE, 0, "--timeout %s: not a number of seconds greater than 0", text);
}

struct request {
    struct uno_launch launch;
    const char *html; /* a page for this file; NULL: none */
};

struct unit_names {
    char text[1000];
};

/* The units that --unit can name: "ttl_papers (up to 16 PEs), usp8 (up to 8)"; or those that are simulated.
 */
static struct unit_names unit_names(bool simulated) {
    struct unit_names names = {""};
    size_t length = 0, room = sizeof names.text;
    for (const struct uno_unit_row *row = uno_unit_rows; row->name; row++)
        if (row->start == UNO_START_named && (row->process || !simulated) && length < room)
            length += (size_t)snprintf(names.text + length, room - length, "%s%s (up to %d%s)",
                                       length ? ", " : "", row->name, row->most, length ? "" : " PEs");
    return names;
}

/* The text of an option, as --help shows it. */
static char *help(int key, const char *text, void *input) {
    (void)input;
    char *all;
    return key == UNIT && asprintf(&all, "%s: %s", text, unit_names(false).text) >= 0 ? all : (char *)text;
}

static const struct uno_unit_row *parse_unit(struct argp_state *state, const char *name) {
    const struct uno_unit_row *unit = uno_unit_named(name);
    if (!unit || unit->start != UNO_START_named)
        argp_failure(state, UNO_EXIT_USAGE, 0, "--unit %s: there are %s", name, unit_names(false).text);
    return unit;
}

static void check_unit(struct argp_state *state, const struct uno_launch *launch) {
    const struct uno_unit_row *unit = launch->unit;
    if (!unit->process && (launch->clock_mhz || launch->port_ns))
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--clock and --port-ns are those of a simulated unit; add --unit and one of %s",
                     unit_names(true).text);
    if (launch->n > unit->most)
        argp_failure(state, UNO_EXIT_USAGE, 0, "-n %d: the unit %s has up to %d PEs", launch->n, unit->name,
                     unit->most);
    if (!uno_hardware_clocks(launch))
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--clock %g --port-ns %g: a port operation takes a million clocks at most",
                     launch->clock_mhz, launch->port_ns);
}

static void parse_gang(struct argp_state *state, const char *name, struct uno_launch *launch) {
    for (const char *c = name; *c; c++)
        if (*c <= ' ' || *c > '~' || c - name >= UNO_GANG_NAME)
            argp_failure(state, UNO_EXIT_USAGE, 0,
                         "--gang=%s: a name is printable ASCII without spaces, at most %d bytes", name,
                         UNO_GANG_NAME);
    launch->gang = name;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    struct uno_launch *launch = &request->launch;
    switch (key) {
    case 'n':
        launch->n = parse_pes(argument, state);
        return 0;
    case TAG:
        launch->tag = true;
        return 0;
    case 'o':
        launch->out = argument;
        return 0;
    case BIND:
        launch->bind = true;
        return 0;
    case GANG:
        parse_gang(state, argument ? argument : "", launch);
        return 0;
    case TIMEOUT:
        parse_timeout(state, argument, launch);
        return 0;
    case STATS:
        if (argument)
            launch->stats_file = argument;
        else
            launch->stats = true;
        return 0;
    case HTML:
        request->html = argument;
        return 0;
    case TRACE:
        launch->trace = argument;
        return 0;
    case UNIT:
        launch->unit = parse_unit(state, argument);
        return 0;
    case CLOCK:
        launch->clock_mhz = parse_number("clock", argument, 0.001, 10000, state);
        return 0;
    case PORT:
        launch->port_ns = parse_number("port-ns", argument, 1, 1e9, state);
        return 0;
    case ARGP_KEY_ARG: /* the program: the words after it belong to it */
        launch->argv = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        if (!launch->n)
            argp_failure(state, UNO_EXIT_USAGE, 0, "how many PEs? Say -n N; see `unisono run --help`");
        if (!launch->argv)
            argp_failure(state, UNO_EXIT_USAGE, 0, "which program? Name it after the options");
        if (launch->tag && launch->out)
            argp_failure(state, UNO_EXIT_USAGE, 0,
                         "--tag and --out exclude each other: a file of --out holds the "
                         "lines of one PE only");
        check_unit(state, launch);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool show(void *page, const json_t *figures) {
    return page_write(page, figures, UNO_STATS_FORM);
}

int command_run(int argc, char **argv) {
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "PROGRAM [ARGUMENT...]",
        .help_filter = help,
        .doc =
            "Start the processes of a parallel program and stay until all have ended."
            "\vStandard input goes to PE 0. The exit status is the highest of the PEs': 128 + the number of "
            "the signal for one that was killed, 124 after a timeout, 126 or 127 if the program cannot be "
            "run "
            "or found. A PE that fails ends the job. SIGUSR1 prints where each PE waits. See unisono-run(1).",
    };
    struct request request = {.launch.unit = uno_unit_first(UNO_START_run)};
    static struct page page;
    parse_options(&argp, argc, argv, ARGP_IN_ORDER, &request);
    char path[PATH_MAX];
    if (request.launch.unit->process) {
        here_path(path, sizeof path, UNO_LIBEXEC, request.launch.unit->process);
        request.launch.hardware = path;
    }
    if (request.html) {
        if (!page_open(&page, "unisono run: --html", "stats", request.html))
            return UNO_EXIT_USAGE;
        request.launch.show_stats = show;
        request.launch.show_argument = &page;
    }
    char *mpi = library_show(request.launch.argv[0]);
    request.launch.mpi = mpi;
    int status = uno_launch(&request.launch);
    free(mpi);
    return status;
}

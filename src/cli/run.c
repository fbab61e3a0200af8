/* unisono run: the options of the launcher. */

#define _GNU_SOURCE
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/exit.h"
#include "launch/gang.h"
#include "launch/hardware.h"
#include "commands.h"
#include "common/options.h"
#include "run/hosts.h"
#include "run/job.h"
#include "run/parts.h"
#include "engine/job.h"
#include "unit/mesh/sizes.def"
#include "unit/unit.h"

enum {
    TAG = 256,
    BIND,
    BINDINGS,
    DEBUG,
    ENV,
    WDIR,
    GANG,
    TIMEOUT,
    STATS,
    HTML,
    TRACE,
    UNIT,
    CLOCK,
    COUNT,
    PORT,
    HOSTS,
    HOSTFILE,
    RSH,
    INTERFACE,
    PORTS,
    CONNECT,
    HEARTBEAT,
};

static const struct argp_option options[] = {
    {"pes", 'n', "N", OPTION_AGAIN,
     "Start N processes (PEs), 1 to 16384; they may be more than the processors", 0},
    {"hosts", HOSTS, "LIST", OPTION_AGAIN,
     "Start the PEs on these machines, each with a number of slots for them: a:4,b:4; without -n all slots",
     0},
    {"hostfile", HOSTFILE, "FILE", OPTION_AGAIN, "The same from a file: a line \"HOST slots=N\" for each", 0},
    {"rsh", RSH, "COMMAND", 0, "Reach the other machines by this command instead of ssh", 0},
    {"interface", INTERFACE, "NAME", 0,
     "The network interface, or an address, by which the machines exchange", 0},
    {"ports", PORTS, "A-B", 0, "The ports on which PEs may listen for other machines", 0},
    {"connect-timeout", CONNECT, "S", 0, "How long the other machines have to answer, in seconds (10)", 0},
    {"heartbeat-timeout", HEARTBEAT, "S", 0,
     "How long a machine may be silent before the job ends, in seconds (10); 0: for ever", 0},
    {"env", ENV, "NAME=VALUE", OPTION_AGAIN, "Set a variable for the PEs of this program", 0},
    {"wdir", WDIR, "DIR", OPTION_AGAIN, "Start the PEs of this program in the folder DIR", 0},
    {"tag", TAG, NULL, 0, "Mark each line of output with its PE", 0},
    {"out", 'o', "DIR", 0, "Write the output of PE k into DIR/k.out and DIR/k.err", 0},
    {"bind", BIND, NULL, 0, "Bind each PE to one processor, a core of its own while there are any", 0},
    {"report-bindings", BINDINGS, NULL, 0, "Say at the start on which processors each PE may run", 0},
    {"debug", DEBUG, "PES", OPTION_ARG_OPTIONAL,
     "Run each PE, or those of a list such as 0,2-3, under gdb, in a pane of tmux or a terminal of its own",
     0},
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
    {"trace", TRACE, "FILE", 0,
     "Write a timeline of all operations and calls into FILE, for https://ui.perfetto.dev", 0},
    {"unit", UNIT, "NAME", 0, "Let the PEs meet in the unit NAME, and not in shared memory", 0},
    {"clock", CLOCK, "MHZ", 0, "Clock of the simulated unit", 0},
    {"count", COUNT, 0, 0,
     "Let the instructions of PEs take time on a mesh, one clock each: they run under qemu's user mode, "
     "which "
     "counts them. Without --stats, which takes instructions too, the clocks are shown at the end",
     0},
    {"port-ns", PORT, "NS", 0, "Time of a port operation of a PE on the simulated unit", 0},
    {0},
};

struct request {
    struct job job;
    struct uno_part *part; /* the part to which the options belong until its program is read */
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

/* The sides of the meshes that are built, as "2x2, 3x3". */
static const char *mesh_sides(void) {
#define X(columns, rows) ", " #columns "x" #rows
    return (UNO_MESHES(X)) + 2;
#undef X
}

static bool is_mesh(const int *side) {
#define X(columns, rows) || (side[0] == (columns) && side[1] == (rows))
    return false UNO_MESHES(X);
#undef X
}

/* Take the sides that are given with a mesh, as "4x4", up to the end of the text or a plus. */
static void parse_sides(struct argp_state *state, const char *name, const char *text, int *side) {
    int end = 0;
    bool two = sscanf(text, "%dx%d%n", &side[0], &side[1], &end) == 2;
    if (!two || (text[end] && text[end] != '+') || !is_mesh(side))
        argp_failure(state, UNO_EXIT_USAGE, 0, "--unit %s: there are meshes of %s tiles", name, mesh_sides());
}

/* Take the name of a unit; that of a mesh may have its sides: mesh=4x4+papers1 is the unit mesh+papers1 with
 * such sides. */
static void parse_unit(struct argp_state *state, const char *name, struct uno_launch *launch) {
    char word[2 * UNO_UNIT_NAME];
    size_t length = strcspn(name, "=+");
    const char *beside = strchr(name, '+');
    int size = snprintf(word, sizeof word, "%.*s%s", (int)length, name, beside ? beside : "");
    launch->unit = size < (int)sizeof word ? uno_unit_named(word) : NULL;
    bool plain = name[length] != '=' || (launch->unit && uno_hardware_is_mesh(launch));
    if (!launch->unit || launch->unit->start != UNO_START_named || !plain)
        argp_failure(state, UNO_EXIT_USAGE, 0, "--unit %s: there are %s", name, unit_names(false).text);
    launch->side[0] = launch->side[1] = 0;
    if (name[length] == '=')
        parse_sides(state, name, name + length + 1, launch->side);
}

/* Let a mesh whose sides are not given be the least one that is built and has a tile for each PE. */
static void choose_sides(struct uno_launch *launch) {
#define X(columns, rows) {columns, rows},
    static const int built[][2] = {UNO_MESHES(X){0, 0}};
#undef X
    for (size_t i = 0; !launch->side[0] && built[i][0]; i++)
        if (launch->n <= built[i][0] * built[i][1])
            memcpy(launch->side, built[i], sizeof launch->side);
}

static void check_unit(struct argp_state *state, struct uno_launch *launch) {
    const struct uno_unit_row *unit = launch->unit;
    if (!unit->process && (launch->clock_mhz || launch->port_ns))
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--clock and --port-ns are those of a simulated unit; add --unit and one of %s",
                     unit_names(true).text);
    if (launch->n > unit->most)
        argp_failure(state, UNO_EXIT_USAGE, 0, "-n %d: the unit %s has up to %d PEs", launch->n, unit->name,
                     unit->most);
    if (launch->side[0] && launch->n > launch->side[0] * launch->side[1])
        argp_failure(state, UNO_EXIT_USAGE, 0, "-n %d: a mesh of %dx%d tiles has up to %d PEs", launch->n,
                     launch->side[0], launch->side[1], launch->side[0] * launch->side[1]);
    if (uno_hardware_is_mesh(launch))
        choose_sides(launch);
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

/* ---- programs ---------------------------------------------------------------------------------------- */

/* The number of PEs of a part: an option that has two values is refused, as parse_options does. */
static void parse_part_pes(struct argp_state *state, const char *text, struct uno_part *part) {
    int n = parse_pes(text, state);
    if (part->n && part->n != n)
        argp_failure(state, UNO_EXIT_USAGE, 0, "--pes %d, --pes %d: give this option once", part->n, n);
    part->n = n;
}

static void parse_setting(struct argp_state *state, const char *text, struct uno_part *part) {
    if (*text == '=' || !strchr(text, '='))
        argp_failure(state, UNO_EXIT_USAGE, 0, "--env %s: it is NAME=VALUE", text);
    parts_set(part, text);
}

/* The words of a program, from the present one on. A colon ends them if options follow, those of a further
 * program; otherwise it is a word as others are. */
static void parse_program(struct argp_state *state, struct request *request) {
    struct uno_part *part = request->part;
    char **word = part->argv = &state->argv[state->next - 1];
    while (*word && !(strcmp(*word, ":") == 0 && word[1] && *word[1] == '-'))
        word++;
    request->part = NULL;
    if (*word) {
        *word++ = NULL;
        request->part = parts_add(&request->job.launch);
    }
    state->next = (int)(word - state->argv);
}

/* Find out the number of PEs of programs for which none is given. */
static void check_pes(struct argp_state *state, struct request *request) {
    const struct uno_launch *launch = &request->job.launch;
    if (launch->parts == 1 && !launch->part->n)
        launch->part->n = (int)hosts_slots(&request->job);
    for (int i = 0; i < launch->parts; i++)
        if (launch->part[i].argv && !launch->part[i].n)
            argp_failure(state, UNO_EXIT_USAGE, 0, "how many PEs%s%s? Say -n N; see `unisono run --help`",
                         launch->parts > 1 ? " of " : "", launch->parts > 1 ? *launch->part[i].argv : "");
}

static void check_programs(struct argp_state *state, struct request *request) {
    check_pes(state, request);
    long n = parts_pes(&request->job.launch);
    if (request->part && !request->part->n)
        argp_failure(state, UNO_EXIT_USAGE, 0, "how many PEs? Say -n N; see `unisono run --help`");
    if (request->part)
        argp_failure(state, UNO_EXIT_USAGE, 0, "which program? Name it after the options");
    if (n > UNO_MAX_PES)
        argp_failure(state, UNO_EXIT_USAGE, 0, "the programs have %ld PEs together, and %d are the most", n,
                     UNO_MAX_PES);
    request->job.launch.n = (int)n;
}

/* ------------------------------------------------------------------------------------------------------ */

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    struct uno_launch *launch = &request->job.launch;
    switch (key) {
    case 'n':
        parse_part_pes(state, argument, request->part);
        return 0;
    case ENV:
        parse_setting(state, argument, request->part);
        return 0;
    case WDIR:
        request->part->folder = argument;
        return 0;
    case DEBUG:
        request->job.debug = true;
        request->job.pes = argument;
        return 0;
    case BINDINGS:
        launch->show_bindings = true;
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
        if (!job_timeout(&request->job, argument))
            argp_failure(state, UNO_EXIT_USAGE, 0, "--timeout %s: not a number of seconds greater than 0",
                         argument);
        return 0;
    case STATS:
        if (argument)
            launch->stats_file = argument;
        else
            launch->stats = true;
        return 0;
    case HTML:
        request->job.html = argument;
        return 0;
    case TRACE:
        launch->trace = argument;
        return 0;
    case UNIT:
        parse_unit(state, argument, launch);
        return 0;
    case CLOCK:
        launch->clock_mhz = parse_number("clock", argument, 0.001, 10000, state);
        return 0;
    case COUNT:
        request->job.count = launch->clocks = true;
        return 0;
    case PORT:
        launch->port_ns = parse_number("port-ns", argument, 1, 1e9, state);
        return 0;
    case HOSTS:
        hosts_list(&request->job, argument, state);
        return 0;
    case HOSTFILE:
        hosts_file(&request->job, argument, state);
        return 0;
    case RSH:
        request->job.far.rsh = argument;
        return 0;
    case INTERFACE:
        request->job.far.wishes.interface = argument;
        return 0;
    case PORTS:
        hosts_ports(&request->job, argument, state);
        return 0;
    case CONNECT:
        hosts_patience(&request->job, argument, state);
        return 0;
    case HEARTBEAT:
        hosts_silence(&request->job, argument, state);
        return 0;
    case ARGP_KEY_ARG: /* the program: the words after it belong to it */
        parse_program(state, request);
        return 0;
    case ARGP_KEY_END:
        check_programs(state, request);
        if (launch->tag && launch->out)
            argp_failure(state, UNO_EXIT_USAGE, 0,
                         "--tag and --out exclude each other: a file of --out holds the "
                         "lines of one PE only");
        check_unit(state, launch);
        if (request->job.count && !uno_hardware_is_mesh(launch))
            argp_failure(state, UNO_EXIT_USAGE, 0,
                         "--count: instructions take time on the tiles of a mesh only; add --unit mesh");
        if (request->job.count && request->job.debug)
            argp_failure(state, UNO_EXIT_USAGE, 0, "--count and --debug exclude each other");
        hosts_check(&request->job, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_run(int argc, char **argv) {
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "PROGRAM [ARGUMENT...] [: OPTION... PROGRAM...]",
        .help_filter = help,
        .doc =
            "Start the processes of a parallel program and stay until all have ended."
            "\vStandard input goes to PE 0. The exit status is the highest of the PEs': 128 + the number of "
            "the signal for one that was killed, 124 after a timeout, 126 or 127 if the program cannot be "
            "run or found. A PE that fails ends the job. SIGUSR1 prints where each PE waits. See "
            "unisono-run(1).",
    };
    struct request request = {.job.launch.unit = uno_unit_first(UNO_START_run)};
    request.part = parts_add(&request.job.launch);
    parse_options(&argp, argc, argv, ARGP_IN_ORDER, &request);
    return (hosts_any(&request.job) ? hosts_run : job_run)(&request.job, "unisono run");
}

/* unisono mpi: the options, and the order of things. */

#define _GNU_SOURCE
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands.h"
#include "common/here.h"
#include "launch/exit.h"
#include "mpi/calls.h"
#include "mpi/choose.h"
#include "mpi/failure.h"
#include "mpi/launcher.h"
#include "mpi/options.h"
#include "mpi/report.h"
#include "mpi/start.h"
#include "mpi/tune.h"
#include "common/options.h"

/* ---- options ----------------------------------------------------------------------------------------- */

enum {
    PROFILE = 256,
    PLOT,
    HTML,
    STATS,
    TRACE,
    CHECK,
    FAST_MATH,
    NODES,
    TUNE,
    OFF,
    MPI,
    PREFIX,
    UNIT,
    MAX_NODES = 1024
};

static const struct argp_option options[] = {
    {"profile", PROFILE, "FILE", OPTION_ARG_OPTIONAL,
     "At the end, show the collectives, their sizes and participants, and which calls were accelerated; or "
     "write that into FILE as JSON",
     0},
    {"plot", PLOT, "FILE", 0, "Draw the profile into FILE, as PNG", 0},
    {"html", HTML, "FILE", 0, "Write the profile into FILE, as a page with charts for a browser", 0},
    {"stats", STATS, "FILE", OPTION_ARG_OPTIONAL,
     "At the end, show the calls of MPI, the places that waited, and the ranks for which they waited; or "
     "write "
     "that into FILE as JSON",
     0},
    {"trace", TRACE, "FILE", 0, "Write the calls of MPI into FILE, as a timeline for https://ui.perfetto.dev",
     0},
    {"check", CHECK, NULL, 0,
     "Run each accelerated collective through the MPI library too, and compare; exit status 1 if one differs",
     0},
    {"fast-math", FAST_MATH, NULL, 0,
     "Allow sums and products of floating-point numbers in any order, not only that of the ranks", 0},
    {"nodes", NODES, "K", 0,
     "Pretend that the ranks are on K machines, in blocks. K:cyclic deals them out one by one; 0,1,1,0 "
     "gives the machine of each rank",
     0},
    {"tune", TUNE, "FILE", OPTION_ARG_OPTIONAL,
     "Measure up to which sizes the accelerator is faster than the MPI library on this machine, show the "
     "result, and keep it for later runs. COMMAND is the launcher without a program, as in mpirun -n 4",
     0},
    {"off", OFF, NULL, 0, "Leave all collectives to the MPI library (a profile is still made)", 0},
    {"mpi", MPI, "BUILD", 0,
     "Name the program's MPI library, if it cannot be detected: openmpi, mpich (and its relatives), or abi "
     "(MPI 5)",
     0},
    {"prefix", PREFIX, NULL, 0,
     "Print the folder of Unisono's own MPI library, with bin/mpicc, include and lib, and do nothing else",
     0},
    {"np", 'n', "N", OPTION_HIDDEN, NULL, 0},
    {"unit", UNIT, "NAME", OPTION_HIDDEN, NULL, 0},
    {"verbose", 'v', NULL, 0, "Show the detected MPI library and the command that is started", 0},
    {0},
};

/* Numbers with commas between. */
static bool is_list(const char *text) {
    static const char digits[] = "0123456789";
    size_t length = strspn(text, digits);
    while (length && text[length] == ',') {
        text += length + 1;
        length = strspn(text, digits);
    }
    return length && !text[length];
}

static void check_nodes(struct argp_state *state, const char *text) {
    char *end;
    long nodes = strtol(text, &end, 10);
    bool number = end != text && nodes >= 1 && nodes <= MAX_NODES && (!*end || strcmp(end, ":cyclic") == 0);
    if (!number && !(strchr(text, ',') && is_list(text)))
        argp_failure(
            state, UNO_EXIT_USAGE, 0,
            "--nodes %s: say how many machines, 1 to %d, as in --nodes 2 or --nodes 2:cyclic, or the "
            "machine of each rank, as in --nodes 0,1,1,0",
            text, MAX_NODES);
}

static void check_together(const struct argp_state *state, const struct mpi_options *o) {
    bool other = o->profile || o->profile_file || o->plot || o->html || o->check || o->off || o->fast_math ||
                 o->nodes || o->stats || o->stats_file || o->trace;
    if (!o->argv)
        argp_failure(
            state, UNO_EXIT_USAGE, 0,
            "which program? Name it after the options, with its launcher, as in `unisono mpi mpirun -n 4 "
            "./program`");
    if (o->tune && other)
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--tune measures by itself, and goes with --mpi and --verbose only");
    if (o->off && o->check)
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--off and --check exclude each other: there is nothing to check");
}

static void print_prefix(void) {
    char beside[PATH_MAX], folder[PATH_MAX];
    here_path(beside, PATH_MAX, UNO_ACCELERATORS, "mpi");
    if (!realpath(beside, folder))
        mpi_reject("Unisono was built without its MPI library, which takes a python3: there is no %s",
                   beside);
    puts(folder);
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct mpi_options *o = state->input;
    switch (key) {
    case PROFILE:
        if (argument)
            o->profile_file = argument;
        else
            o->profile = true;
        return 0;
    case PLOT:
        o->plot = argument;
        return 0;
    case HTML:
        o->html = argument;
        return 0;
    case STATS:
        if (argument)
            o->stats_file = argument;
        else
            o->stats = true;
        return 0;
    case TRACE:
        o->trace = argument;
        return 0;
    case CHECK:
        o->check = true;
        return 0;
    case FAST_MATH:
        o->fast_math = true;
        return 0;
    case NODES:
        check_nodes(state, argument);
        o->nodes = argument;
        return 0;
    case UNIT:
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--unit %s: no unit goes with the accelerator, whose ranks another launcher starts; a "
                     "program that is built with `unisono mpi --prefix` has it: unisono run --unit %s -n N",
                     argument, argument);
        return 0;
    case TUNE:
        o->tune = true;
        o->tune_file = argument;
        return 0;
    case OFF:
        o->off = true;
        return 0;
    case MPI:
        o->build = mpi_build_named(argument);
        if (!o->build)
            argp_failure(state, UNO_EXIT_USAGE, 0, "--mpi %s: it is openmpi, mpich or abi", argument);
        return 0;
    case PREFIX:
        print_prefix();
        exit(EXIT_SUCCESS);
    case 'n':
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "-n is an option of the launcher, and stands behind it, as in `unisono mpi mpirun -n 4 "
                     "./program`; " MPI_WITHOUT);
        return 0;
    case 'v':
        o->verbose = true;
        return 0;
    case ARGP_KEY_ARG: /* the command: the words after it belong to it */
        o->argv = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_END:
        check_together(state, o);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the command ------------------------------------------------------------------------------------- */

static void tell(const struct mpi_launcher *l, const char *accelerator, char **command) {
    if (l->family)
        fprintf(stderr, "unisono mpi: launcher: %s (%s)\n", l->path, l->version);
    for (int i = 0; i < l->programs; i++) {
        const struct mpi_program *p = &l->program[i];
        fprintf(stderr, "unisono mpi: program: %s, needs %s%s%s\n", p->path,
                *p->library ? p->library : "no MPI library itself", *p->file ? " => " : "", p->file);
    }
    fprintf(stderr, "unisono mpi: accelerator: %s\n", accelerator);
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "UNISONO_MPI", strlen("UNISONO_MPI")) == 0 || strncmp(*e, "LD_PRELOAD=", 11) == 0)
            fprintf(stderr, "unisono mpi: environment: %s\n", *e);
    fprintf(stderr, "unisono mpi: starts:");
    for (; *command; command++)
        fprintf(stderr, " %s", *command);
    fputc('\n', stderr);
}

static void set_environment(const struct mpi_options *o, const char *accelerator) {
    mpi_preload(accelerator);
    if (o->off)
        mpi_set("UNISONO_MPI", "off");
    if (o->check)
        mpi_set("UNISONO_MPI_CHECK", "1");
    if (o->fast_math)
        mpi_set("UNISONO_MPI_FAST_MATH", "1");
    if (o->nodes)
        mpi_set("UNISONO_MPI_NODES", o->nodes);
}

int command_mpi(int argc, char **argv) {
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[--] COMMAND [ARGUMENT...]",
        .doc = "Run an unmodified MPI program with faster collectives: COMMAND is the MPI library's launcher "
               "with its "
               "options and the program, as in mpirun -n 6 ./program, or the program alone."
               "\vThe program's MPI library is detected, and the accelerator for it is loaded into the "
               "program's "
               "processes. "
               "The exit status is that of COMMAND; 2 if it cannot be accelerated. See unisono-mpi(1).",
    };
    static struct mpi_launcher launcher;
    struct mpi_options o = {0};
    char accelerator[PATH_MAX];
    parse_options(&argp, argc, argv, ARGP_IN_ORDER, &o);
    mpi_launcher_find(&launcher, o.argv);
    enum mpi_build build = mpi_choose(&launcher, o.build);
    mpi_accelerator(build, accelerator);
    set_environment(&o, accelerator);
    if (o.tune)
        return mpi_tune(&o, &launcher, build);
    bool records = o.stats || o.stats_file || o.trace;
    if (records)
        mpi_calls_open(&o, build);
    struct mpi_report *report = mpi_report_wanted(&o) ? mpi_report_open(&o) : NULL;
    char **command = mpi_command(&launcher, o.argv);
    if (o.verbose)
        tell(&launcher, accelerator, command);
    if (!report && !records)
        mpi_become(&launcher, command);
    int status = mpi_run(&launcher, command);
    if (records && !mpi_calls_close(&o) && !status)
        status = W_EXITCODE(EXIT_FAILURE, 0);
    mpi_end(report ? mpi_report_close(report, status) : status);
}

/* unisono: the one program. Each command is a row of the table and a function in a file of its name. */

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/exit.h"
#include "commands.h"
#include "common/file_limit.h"
#include "common/options.h"

static const struct command {
    const char *name, *summary;
    int (*function)(int argc, char **argv);
} commands[] = {
    {"run", "start the processes of a parallel program", command_run},
    {"ps", "show the running jobs, and where their PEs are", command_ps},
    {"inspect", "show the messages of one PE, one by one", command_inspect},
    {"info", "show the machine as the library sees it", command_info},
    {"mpi", "run an MPI program with faster collectives", command_mpi},
    {"sort", "sort a file of records by a key", command_sort},
    {"bench", "measure the operations, beside MPI libraries and the tables of 1995", command_bench},
    {"torus", "calculate the all-to-all of a torus, and Table 1 of the paper on it", command_torus},
    {"model", "measure loads and stores, and calculate permutations and a sort from them", command_model},
};

enum { COUNT = sizeof commands / sizeof *commands };

struct choice {
    const struct command *command;
    int argc;
    char **argv; /* the command's, its own name first */
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct choice *choice = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        for (int i = 0; i < COUNT; i++)
            if (strcmp(argument, commands[i].name) == 0)
                choice->command = &commands[i];
        if (!choice->command)
            argp_failure(state, UNO_EXIT_USAGE, 0, "%s is not a command; see `unisono --help`", argument);
        choice->argc = state->argc - (state->next - 1);
        choice->argv = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_failure(state, UNO_EXIT_USAGE, 0, "which command? See `unisono --help`");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Add the commands to the end of --help. */
static char *help(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    char *all = NULL;
    size_t length;
    FILE *f = open_memstream(&all, &length);
    if (!f)
        return NULL;
    fprintf(f, "Commands:\n");
    for (int i = 0; i < COUNT; i++)
        fprintf(f, "  %-7s %s\n", commands[i].name, commands[i].summary);
    fprintf(f, "\n`unisono COMMAND --help` tells more.");
    fclose(f);
    return all;
}

int main(int argc, char **argv) {
    static const struct argp argp = {
        .parser = parse,
        .args_doc = "COMMAND [ARGUMENT...]",
        .doc = "Synchronized aggregate communication between the processes of one machine.\v ",
        .help_filter = help,
    };
    outlive_file_limit();
    argp_program_version = "unisono " UNISONO_VERSION;
    argp_err_exit_status = UNO_EXIT_USAGE;
    struct choice choice = {0};
    parse_options(&argp, argc, argv, ARGP_IN_ORDER, &choice);
    char name[32];
    snprintf(name, sizeof name, "unisono %s", choice.command->name);
    choice.argv[0] = name;
    return choice.command->function(choice.argc, choice.argv);
}

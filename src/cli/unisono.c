/* unisono: the one program. Each command is a row of the table and a function in a file of its name. */

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/exit.h"
#include "commands.h"
#include "common/file_limit.h"
#include "common/options.h"
#include "common/suggest.h"

static const struct command {
    const char *name, *summary; /* NULL: another name of the command before it */
    int (*function)(int argc, char **argv);
} commands[] = {
    {"run", "start the processes of a parallel program", command_run},
    {"mpirun", "the same for scripts, with the options of mpirun and mpiexec", command_mpirun},
    {"mpiexec", NULL, command_mpirun},
    {"ps", "show the running jobs, and where their PEs are", command_ps},
    {"top", "show a running job again and again: where its PEs are, and for whom they wait", command_top},
    {"inspect", "show the messages of one PE, one by one", command_inspect},
    {"compare", "show what became slower from one run to another", command_compare},
    {"info", "show the machine as the library sees it", command_info},
    {"mpi", "run an MPI program with faster collectives", command_mpi},
    {"sort", "sort a file of records by a key", command_sort},
    {"bench", "measure the operations, beside MPI libraries and the tables of 1995", command_bench},
    {"torus", "calculate the all-to-all of a torus, and Table 1 of the paper on it", command_torus},
    {"model", "calculate permutations, a sort, and operations between nodes", command_model},
};

enum { COUNT = sizeof commands / sizeof *commands };

/* Commands about the commands. */
static int command_help(int argc, char **argv);
static int command_complete(int argc, char **argv);

static const struct command about[] = {
    {"help", "show the options of a command", command_help},
    {"complete", NULL, command_complete},
    {"agent", NULL, command_agent}, /* `unisono run --hosts` calls it */
};

static const struct command *find(const char *name) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (strcmp(name, about[i].name) == 0)
            return &about[i];
    return NULL;
}

/* The command whose name is most like this word; NULL: none is. */
static const char *like(const char *word) {
    static struct suggestion suggestion;
    suggest_begin(&suggestion, word, strlen(word));
    for (int i = 0; i < COUNT; i++)
        suggest_consider(&suggestion, commands[i].name, strlen(commands[i].name));
    suggest_consider(&suggestion, about[0].name, strlen(about[0].name));
    return suggest_best(&suggestion);
}

static void refuse(const char *word) {
    const char *meant = like(word);
    fprintf(stderr, "unisono: %s is not a command; %s%s%see `unisono --help`\n", word,
            meant ? "did you mean " : "", meant ? meant : "", meant ? "? S" : "s");
    exit(UNO_EXIT_USAGE);
}

struct choice {
    const struct command *command;
    int argc;
    char **argv; /* the command's, its own name first */
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct choice *choice = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        choice->command = find(argument);
        if (!choice->command)
            refuse(argument);
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
        if (commands[i].summary)
            fprintf(f, "  %-7s %s\n", commands[i].name, commands[i].summary);
    fprintf(f, "\n`unisono help COMMAND` tells more.");
    fclose(f);
    return all;
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc = "Synchronized aggregate communication between the processes of one machine.\v ",
    .help_filter = help,
};

/* Call a command with its name in front of its words. */
static int call(const struct command *command, int argc, char **argv) {
    static char name[32];
    snprintf(name, sizeof name, "unisono %s", command->name);
    argv[0] = name;
    return command->function(argc, argv);
}

/* unisono, or a command of it, with one option. Either writes what is asked for, and ends. */
static int ask(const char *word, char *option) {
    char program[] = "unisono", *argv[] = {program, option, NULL};
    const struct command *command = word ? find(word) : NULL;
    if (word && !command)
        refuse(word);
    if (command && command->function != command_help && command->function != command_complete)
        return call(command, 2, argv);
    parse_options(&argp, 2, argv, ARGP_IN_ORDER, &(struct choice){0});
    return EXIT_SUCCESS;
}

/* unisono help [COMMAND] */
static int command_help(int argc, char **argv) {
    static char option[] = "--help";
    return ask(argc > 1 ? argv[1] : NULL, option);
}

/* unisono complete [COMMAND]: for the completions of shells, the options of a command, or the commands. Each
 * is a line: what may be written, a tab, and what it does. */
static int command_complete(int argc, char **argv) {
    static char option[] = "--" LIST_OPTIONS;
    for (int i = 0; argc == 1 && i < COUNT; i++)
        printf("%s\t%s\n", commands[i].name,
               commands[i].summary ? commands[i].summary : commands[i - 1].summary);
    if (argc == 1)
        printf("%s\t%s\n", about[0].name, about[0].summary);
    fflush(stdout);
    return ask(argc > 1 ? argv[1] : NULL, option);
}

int main(int argc, char **argv) {
    outlive_file_limit();
    argp_program_version = "unisono " UNISONO_VERSION;
    argp_err_exit_status = UNO_EXIT_USAGE;
    struct choice choice = {0};
    parse_options(&argp, argc, argv, ARGP_IN_ORDER, &choice);
    return call(choice.command, choice.argc, choice.argv);
}

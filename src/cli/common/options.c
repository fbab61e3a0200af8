#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/exit.h"
#include "engine/job.h"
#include "unknown.h"

/* ---- the options of all commands ---------------------------------------------------------------------- */

enum { USAGE = 0x10000, LIST };

static const struct argp_option standard[] = {
    {"help", 'h', NULL, 0, "Show the options", -1},      {NULL, '?', NULL, OPTION_ALIAS, NULL, -1},
    {"usage", USAGE, NULL, 0, "Show them in short", -1}, {"version", 'V', NULL, 0, "Show the version", -1},
    {LIST_OPTIONS, LIST, NULL, OPTION_HIDDEN, NULL, -1}, {0},
};

/* A command's parser, its options with those of all commands, and what each has been given. */
struct parsing {
    const struct argp *argp;
    void *input;
    struct argp_option *options;
    const char **given; /* NULL: nothing yet */
};

static error_t parse_standard(int key, const struct argp_state *state, const struct parsing *parsing) {
    switch (key) {
    case 'h':
    case '?':
        argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
        return 0;
    case USAGE:
        argp_state_help(state, state->out_stream, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case 'V':
        printf("%s\n", argp_program_version);
        exit(EXIT_SUCCESS);
    case LIST:
        list_options(parsing->options);
        exit(EXIT_SUCCESS);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Call the command's own parser, and refuse an option that has now been given two values, of which one would
 * be dropped without a word. Where a value may be left out, the option with one and the option without may be
 * different wishes. */
static error_t parse_key(int key, char *argument, struct argp_state *state) {
    const struct parsing *parsing = state->input;
    const struct argp_option *options = parsing->options;
    state->input = parsing->input;
    error_t error = parsing->argp->parser(key, argument, state);
    if (error == ARGP_ERR_UNKNOWN)
        error = parse_standard(key, state, parsing);
    for (int i = 0; !error && argument && key > 0 && (options[i].name || options[i].key); i++) {
        const char *name = options[i].name, *before = parsing->given[i];
        if (options[i].key != key || options[i].flags & OPTION_AGAIN)
            continue;
        if (before && strcmp(before, argument) != 0)
            argp_failure(state, UNO_EXIT_USAGE, 0, "--%s %s, --%s %s: give this option once", name, before,
                         name, argument);
        parsing->given[i] = argument;
    }
    return error;
}

static size_t count(const struct argp_option *options) {
    size_t n = 0;
    while (options && (options[n].name || options[n].key))
        n++;
    return n;
}

/* ------------------------------------------------------------------------------------------------------ */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void refuse_unknown(const struct argp_option *options, int argc, char **argv, unsigned flags) {
    const char *word = unknown_option(options, argc, argv, flags & ARGP_IN_ORDER);
    if (!word)
        return;
    const char *like = unknown_like(options, word), *name = base_name(argv[0]);
    fprintf(stderr, "%s: unrecognized option '%s'; %s%s%see `%s --help`\n", name, word,
            like ? "did you mean --" : "", like ? like : "", like ? "? S" : "s", name);
    exit(UNO_EXIT_USAGE);
}

void parse_options(const struct argp *argp, int argc, char **argv, unsigned flags, void *input) {
    struct argp whole = *argp;
    size_t own = count(argp->options), all = own + count(standard);
    struct parsing parsing = {argp, input, calloc(all + 1, sizeof(struct argp_option)),
                              calloc(all + 1, sizeof(char *))};
    int error = ENOMEM;
    if (parsing.options && parsing.given) {
        if (own)
            memcpy(parsing.options, argp->options, own * sizeof *parsing.options);
        memcpy(parsing.options + own, standard, sizeof standard);
        refuse_unknown(parsing.options, argc, argv, flags);
        whole.options = parsing.options;
        whole.parser = parse_key;
        error = argp_parse(&whole, argc, argv, flags | ARGP_NO_HELP, NULL, &parsing);
    }
    free(parsing.options);
    free(parsing.given);
    if (!error)
        return;
    fprintf(stderr, "%s: cannot read the options: %s\n", base_name(argv[0]), strerror(error));
    exit(EXIT_FAILURE);
}

int parse_pes(const char *text, const struct argp_state *state) {
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (strcmp(text, "p") == 0)
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "-np: write -n N; mpirun beside `unisono mpi --prefix`/bin/mpicc "
                     "takes the options of other launchers");
    if (end == text || *end)
        argp_failure(state, UNO_EXIT_USAGE, 0, "-n %s: not a number; say how many PEs, 1 to %d", text,
                     UNO_MAX_PES);
    if (errno || n < 1 || n > UNO_MAX_PES)
        argp_failure(state, UNO_EXIT_USAGE, 0, "-n %s: the number of PEs is 1 to %d", text, UNO_MAX_PES);
    return (int)n;
}

double parse_number(const char *option, const char *text, double least, double most,
                    const struct argp_state *state) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value <= most))
        argp_failure(state, UNO_EXIT_USAGE, 0, "--%s %s: not a number from %g to %g", option, text, least,
                     most);
    return value;
}

int parse_whole(const char *option, const char *text, int most, const struct argp_state *state) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end || errno || value < 1 || value > most)
        argp_failure(state, UNO_EXIT_USAGE, 0, "--%s %s: not a whole number from 1 to %d", option, text,
                     most);
    return (int)value;
}

const char *parse_plot(const char *path, const struct argp_state *state) {
    FILE *file = fopen(path, "w");
    if (!file)
        argp_failure(state, UNO_EXIT_USAGE, 0, "--plot %s: %s", path, strerror(errno));
    else
        fclose(file);
    return path;
}

error_t parse_json(int key, const char *argument, const struct argp_state *state, bool *json) {
    switch (key) {
    case 'j':
        *json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_failure(state, UNO_EXIT_USAGE, 0, "%s: this command takes options only", argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

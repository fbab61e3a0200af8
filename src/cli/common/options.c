#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/exit.h"
#include "engine/job.h"

/* ---- an option twice ---------------------------------------------------------------------------------- */

/* A command's parser, and what each of its options has been given. */
struct once {
    const struct argp *argp;
    void *input;
    const char **given; /* in the order of the options; NULL: nothing yet */
};

/* Call the command's own parser, and refuse an option that has now been given two values, of which one would
 * be dropped without a word. Where a value may be left out, the option with one and the option without may be
 * different wishes. */
static error_t parse_once(int key, char *argument, struct argp_state *state) {
    const struct once *once = state->input;
    const struct argp_option *options = once->argp->options;
    state->input = once->input;
    error_t error = once->argp->parser(key, argument, state);
    for (int i = 0; !error && argument && key > 0 && options && options[i].name; i++) {
        const char *name = options[i].name, *before = once->given[i];
        if (options[i].key != key)
            continue;
        if (before && strcmp(before, argument) != 0)
            argp_failure(state, UNO_EXIT_USAGE, 0, "--%s %s, --%s %s: give this option once", name, before,
                         name, argument);
        once->given[i] = argument;
    }
    return error;
}

static int count(const struct argp_option *options) {
    int n = 0;
    while (options && options[n].name)
        n++;
    return n;
}

/* ------------------------------------------------------------------------------------------------------ */

void parse_options(const struct argp *argp, int argc, char **argv, unsigned flags, void *input) {
    struct argp wrapped = *argp;
    struct once once = {argp, input, calloc((size_t)count(argp->options) + 1, sizeof(char *))};
    wrapped.parser = parse_once;
    int error = once.given ? argp_parse(&wrapped, argc, argv, flags, NULL, &once) : ENOMEM;
    free(once.given);
    if (!error)
        return;
    const char *slash = strrchr(argv[0], '/');
    fprintf(stderr, "%s: cannot read the options: %s\n", slash ? slash + 1 : argv[0], strerror(error));
    exit(EXIT_FAILURE);
}

int parse_pes(const char *text, const struct argp_state *state) {
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
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

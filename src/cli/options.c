#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/exit.h"
#include "engine/job.h"

void parse_options(const struct argp *argp, int argc, char **argv, unsigned flags, void *input) {
    int error = argp_parse(argp, argc, argv, flags, NULL, input);
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

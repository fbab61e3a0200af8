#include "print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "here.h"

int print_json(json_t *value, const char *command) {
    if (!value) {
        fprintf(stderr, "%s: out of memory\n", command);
        return EXIT_FAILURE;
    }
    json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(value);
    return print_end(command);
}

int print_end(const char *command) {
    if (!fflush(stdout) && !ferror(stdout))
        return EXIT_SUCCESS;
    fprintf(stderr, "%s: cannot write standard output: %s\n", command, strerror(errno));
    return EXIT_FAILURE;
}

bool print_plot(const char *command, const char *script, json_t *figures, const char *file) {
    bool drawn = here_plot(script, figures, file);
    if (!drawn)
        fprintf(
            stderr,
            "%s: the plot failed; it needs /usr/bin/python3 with matplotlib (Debian: python3-matplotlib)\n",
            command);
    return drawn;
}

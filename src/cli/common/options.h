/* Functions for options that several commands have. */

#ifndef UNO_OPTIONS_H
#define UNO_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

/* A flag of an option beside those of argp: it may be given several times. */
enum { OPTION_AGAIN = 0x100 };

/* An option of every command that writes its options for the completion of a shell. */
#define LIST_OPTIONS "list-options"

/* As argp_parse, for a command without children, with --help, -h, -?, --usage, --version and -V for it. An
 * option that is not there is refused with the name of one that is like it. Ends with a message also if that
 * fails, for which it must lack memory, and if one option is given two values. */
void parse_options(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* The argument of -n: a number of PEs. Ends with a message if it is none. */
int parse_pes(const char *text, const struct argp_state *state);

/* The argument of --option: a number within bounds, or a whole number from 1. Ends with a message if it is
 * none. */
double parse_number(const char *option, const char *text, double least, double most,
                    const struct argp_state *state);
int parse_whole(const char *option, const char *text, int most, const struct argp_state *state);

/* The argument of --plot: a file that can be written. Ends with a message if it cannot. */
const char *parse_plot(const char *path, const struct argp_state *state);

/* Handle what a command without arguments has beside its own options: --json sets *json, and an argument is
 * an error. */
error_t parse_json(int key, const char *argument, const struct argp_state *state, bool *json);

#endif

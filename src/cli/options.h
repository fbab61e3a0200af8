/* What the options of several commands have in common. */

#ifndef UNO_OPTIONS_H
#define UNO_OPTIONS_H

#include <argp.h>

/* As argp_parse. Ends with a message also if that fails, for which it must lack memory. */
void parse_options(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* The argument of -n: a number of PEs. Ends with a message if it is none. */
int parse_pes(const char *text, const struct argp_state *state);

#endif

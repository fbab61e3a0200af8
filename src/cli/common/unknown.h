/* Options that a command does not have: what their writer may have meant. */

#ifndef UNO_UNKNOWN_H
#define UNO_UNKNOWN_H

#include <argp.h>
#include <stdbool.h>

/* The first long option on a command line that is none of these, nor the beginning of one; NULL: there is
 * none. in_order: the first word that is no option ends them. */
const char *unknown_option(const struct argp_option *options, int argc, char **argv, bool in_order);

/* The name of the option that is most like it, without the dashes; NULL: none is. */
const char *unknown_like(const struct argp_option *options, const char *word);

/* Write a line for each option, for the completion of a shell: --name, a tab, and what it does. */
void list_options(const struct argp_option *options);

#endif

/* What a command writes to standard output. */

#ifndef UNO_PRINT_H
#define UNO_PRINT_H

#include <jansson.h>
#include <stdbool.h>

/* Write a JSON value, and release it; NULL: memory lacked. Returns the exit status, after a message if it is
 * not 0. */
int print_json(json_t *value, const char *command);

/* As print_json, after text has been printed. */
int print_end(const char *command);

/* Let a script of share/unisono draw the figures into a file. Whether it has, after a message if not. */
bool print_plot(const char *command, const char *script, json_t *figures, const char *file);

#endif

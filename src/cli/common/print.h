/* Functions by which commands write results to standard output. */

#ifndef UNO_PRINT_H
#define UNO_PRINT_H

#include <jansson.h>
#include <stdbool.h>

/* Write a JSON value, and release it; the value NULL says that memory lacked. Returns the exit status, after
 * a message if it is not 0. */
int print_json(json_t *value, const char *command);

/* Return the exit status of a command that has printed text, after a message if it is not 0. */
int print_end(const char *command);

/* Let a script of share/unisono draw the figures into a file. Returns true if it has; otherwise there was a
 * message. */
bool print_plot(const char *command, const char *script, json_t *figures, const char *file);

#endif

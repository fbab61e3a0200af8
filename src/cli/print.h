/* What a command writes to standard output. */

#ifndef UNO_PRINT_H
#define UNO_PRINT_H

#include <jansson.h>

/* Write a JSON value, and release it; NULL: memory lacked. Returns the exit status, after a message if it is
 * not 0. */
int print_json(json_t *value, const char *command);

/* The same, after text has been printed. */
int print_end(const char *command);

#endif

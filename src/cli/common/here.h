/* Where this program is, what lies beside it, and the machine it runs on. */

#ifndef UNO_HERE_H
#define UNO_HERE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The path of this program. */
void here_self(char *path, size_t size);

/* A file in a folder given relative to that of this program. */
void here_path(char *path, size_t size, const char *folder, const char *file);

/* "AMD EPYC, 2 processors, Linux 6.1.0". */
void here_machine(char *text, size_t size);

/* Let a script of share/unisono draw the JSON into a file. Whether that went well. */
bool here_plot(const char *script, json_t *json, const char *file);

#endif

/* unisono run: Unisono's MPI library for the program that is started. */

#ifndef UNO_CLI_LIBRARY_H
#define UNO_CLI_LIBRARY_H

/* Set the environment so that a program and its children find Unisono's MPI library before another one of its
 * name. program: a word of the command line; folder: the one in which it starts, or NULL. Returns the
 * library's folder, to be freed; NULL: there is no library. */
char *library_show(const char *program, const char *folder);

#endif

/* The limit of a file's size (ulimit -f), for the programs that are commands. */

#ifndef UNO_FILE_LIMIT_H
#define UNO_FILE_LIMIT_H

/* A file that would grow past the limit of the process is from now on an error, EFBIG, that the command
 * reports, and not the end of it by SIGXFSZ. Programs that the command starts do not inherit a handler: they
 * have what the user gave. */
void outlive_file_limit(void);

#endif

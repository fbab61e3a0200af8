/* A child process under observation: its standard error, its end, and the time. */

#ifndef TEST_CHILD_H
#define TEST_CHILD_H

#include <stddef.h>

struct child {
    int status;        /* exit status, or 128 + signal */
    double seconds;    /* from start to end */
    char error[16384]; /* its standard error, cut to fit */
};

/* Run argv if it is not NULL, else function(argument) followed by _exit(0), in a child. A child that hangs,
 * on however busy a machine, is killed. */
void child_run(struct child *child, char **argv, void (*function)(void *), void *argument);

#endif

/* A process that is watched: what it writes to standard error, how it ends, and when. */

#ifndef TEST_CHILD_H
#define TEST_CHILD_H

#include <stddef.h>

struct child {
    int status;        /* exit status, or 128 + signal */
    double seconds;    /* from start to end */
    char error[16384]; /* what it wrote, cut to fit */
};

/* Run argv if it is not NULL, else function(argument) followed by _exit(0), in a child. One that hangs, on
 * however busy a machine, is killed. */
void child_run(struct child *child, char **argv, void (*function)(void *), void *argument);

#endif

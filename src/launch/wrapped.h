/* PEs that the launcher did not start itself: a wrapper did, which may outlive them. Such a PE tells the
 * launcher when it checks in (UNO_CHECKED_IN), and is watched from then on. */

#ifndef UNO_WRAPPED_H
#define UNO_WRAPPED_H

#include <stdbool.h>
#include <sys/types.h>

struct uno_wrapped {
    int epoll; /* readable when uno_wrapped_next has a PE to tell of */
    int n;
    struct uno_watched {
        int fd; /* its pidfd; -1: none */
        pid_t pid;
        bool lost; /* it has ended, and nobody knows how */
    } * pe;
};

/* Ready for a job of n PEs. Returns 0 or -errno. */
int uno_wrapped_open(struct uno_wrapped *wrapped, int n);

/* Watch PE k, which is the process pid. Returns false if it has ended already: it is lost. Where the system
 * refuses, it is not watched. */
bool uno_wrapped_add(struct uno_wrapped *wrapped, int k, pid_t pid);

/* A PE that is watched and whose process has ended; it is watched no longer. -1: none. *result: how it ended,
 * as of waitpid; -1: not known, it is lost. */
int uno_wrapped_next(struct uno_wrapped *wrapped, int *result);

/* The process that is watched as PE k; 0: none is, or it has ended. */
pid_t uno_wrapped_process(const struct uno_wrapped *wrapped, int k);

/* Kill it. */
void uno_wrapped_kill(const struct uno_wrapped *wrapped, int k);

/* Free its content. *wrapped may also be zeros. */
void uno_wrapped_close(struct uno_wrapped *wrapped);

#endif

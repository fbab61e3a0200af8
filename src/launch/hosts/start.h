/* The start of an agent, on this machine or another one. */

#ifndef UNO_HOSTS_START_H
#define UNO_HOSTS_START_H

#include <signal.h>
#include <sys/types.h>

#include "wishes.h"

/* A process that was started. */
struct uno_started {
    pid_t pid;
    int in, out, err; /* pipes to its standard input, and from its standard output and error */
};

/* Start the agent of a node. mask: the signals that it shall block. Returns 0 or -errno. */
int uno_agent_start(const struct uno_far_launch *far, int node, const sigset_t *mask,
                    struct uno_started *started);

/* Write the command that reaches the host, for messages: "ssh"; or, on this machine, "its agent". */
enum { UNO_STARTER = 128 };
void uno_agent_starter(const struct uno_far_launch *far, int node, char text[UNO_STARTER]);

#endif

/* Agents that cannot be started, or end before their time. */

#ifndef UNO_LOSE_H
#define UNO_LOSE_H

#include "coordination.h"

/* The job does not begin: say why in one line, unless another reason was said, and let the agents end.
 * Status: the exit status. */
void uno_lose_refuse(struct uno_coordinator *c, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Write a hint how to try whether the host can be reached; nothing for this machine. Returns text. */
enum { UNO_HINT = 256 };
const char *uno_lose_try(const struct uno_coordinator *c, int node, char text[UNO_HINT]);

/* Nothing more comes from this node's agent, which has not said that all is over: say so, and tell the
 * others. */
void uno_lose_node(struct uno_coordinator *c, int node);

/* The node is gone: tell the others, in these words behind its name. */
void uno_lose_gone(struct uno_coordinator *c, int node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Read what the agent, or the command that starts it, says on its standard error, and pass on whole lines if
 * the job has begun there. */
void uno_lose_listen(struct uno_coordinator *c, int node);

#endif

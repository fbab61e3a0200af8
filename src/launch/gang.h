/* The launchers of one user that share the processors in turns: each has one in its time, with all PEs of its
 * job.
 *
 * They have a memory together, without a name: who joins finds it among what the user's processes have open,
 * or makes it. It says whose turn it is, and whoever has the turn hands it on by one store and a signal.
 * Nobody directs: when the one that has the turn ends, however that may be, each of the others sees it, and
 * the first to store takes the turn on; when it was stopped, as soon as its time is over. Nothing is left
 * behind when all have ended. */

#ifndef UNO_GANG_H
#define UNO_GANG_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct uno_gang;

/* Sent to the launcher that has got the turn. */
#define UNO_GANG_TURN (SIGRTMIN + 1)

/* Bytes of the longest name. */
enum { UNO_GANG_NAME = 63 };

/* Join the gang of that name, or begin one; UNO_GANG_TURN is blocked already. NULL, and *why, if that cannot
 * be.
 */
struct uno_gang *uno_gang_join(const char *name, const char **why);

/* Take part in no more turns until the next look: by a launcher that is about to be stopped. */
void uno_gang_rest(struct uno_gang *gang);

/* Leave it for good, and free what this launcher knows. */
void uno_gang_leave(struct uno_gang *gang);

/* Look at what the others do, and take a turn on that nobody hands on. Whether it is this launcher's turn. */
bool uno_gang_look(struct uno_gang *gang, uint64_t now);

/* Whether this launcher has had its time, and somebody waits; and then: the turn is the next one's. */
bool uno_gang_over(struct uno_gang *gang, uint64_t now);
void uno_gang_pass(struct uno_gang *gang);

/* When to look again, in ns of CLOCK_MONOTONIC, if nothing comes before; and a descriptor that is readable
 * when something has. */
uint64_t uno_gang_next(const struct uno_gang *gang);
int uno_gang_events(const struct uno_gang *gang);

#endif

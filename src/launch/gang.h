/* A gang: launchers of one user that share the processors in turns. In its turn a launcher has them for all
 * PEs of its job.
 *
 * The launchers share a memory without a name: a launcher that joins finds it among the open files of the
 * user's processes, or makes it. The memory holds the turn, and the launcher that has the turn hands it on by
 * one store and a signal. No launcher directs the others: when the one that has the turn ends, in whatever
 * way, each of the others sees it, and the first to store takes the turn on; when it was stopped, as soon as
 * its time is over. Nothing is left behind when all have ended. */

#ifndef UNO_GANG_H
#define UNO_GANG_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct uno_gang;

/* Sent to the launcher that has got the turn. */
#define UNO_GANG_TURN (SIGRTMIN + 1)

/* Bytes of the longest name of a gang. */
enum { UNO_GANG_NAME = 63 };

/* Join the gang of that name, or begin one; the caller has blocked UNO_GANG_TURN. Returns NULL, and the
 * reason in *why, if that fails. */
struct uno_gang *uno_gang_join(const char *name, const char **why);

/* Take part in no more turns until the next uno_gang_look. A launcher that is about to be stopped calls
 * this. */
void uno_gang_rest(struct uno_gang *gang);

/* Leave the gang for good, and free its memory in this launcher. */
void uno_gang_leave(struct uno_gang *gang);

/* Look at the other launchers, and take the turn on if nobody hands it on. Return true if it is this
 * launcher's turn. */
bool uno_gang_look(struct uno_gang *gang, uint64_t now);

/* Return true if this launcher's time is over and another launcher waits; the launcher then passes the turn
 * on by uno_gang_pass. */
bool uno_gang_over(struct uno_gang *gang, uint64_t now);
void uno_gang_pass(struct uno_gang *gang);

/* Return when to look again, in ns of CLOCK_MONOTONIC, if nothing happens before; and a descriptor that is
 * readable when something has. */
uint64_t uno_gang_next(const struct uno_gang *gang);
int uno_gang_events(const struct uno_gang *gang);

#endif

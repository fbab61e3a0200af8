/* The network within one process, for tests: its endpoints are those of threads, or of one thread. How it
 * treats what is sent can be set. All of it may be called from any thread. */

#ifndef UNO_NET_INSIDE_H
#define UNO_NET_INSIDE_H

#include "net.h"

struct uno_inside_rules {
    uint64_t seed;        /* of all that is random: how long something takes, and which sends are refused */
    uint64_t least, most; /* ns that a packet or a write takes */
    int refused;          /* so many of 1000 sends and writes find no room */
    int room;             /* packets and writes under way from one endpoint to another, at most; 0: 64 */
    bool by_hand;         /* time passes by uno_inside_advance alone */
};

/* Set the rules for all that is sent from now on. Those from the start are 0. */
void uno_inside_rule(const struct uno_inside_rules *rules);

/* Cut the link between two endpoints, for good: what is on it is lost, and sends and writes fail. */
void uno_inside_cut(struct uno_net *a, struct uno_net *b);

/* Let time pass. */
void uno_inside_advance(uint64_t ns);

#endif

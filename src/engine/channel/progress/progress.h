/* How a PE goes on with its messages, and waits for those of others. */

#ifndef UNO_CHANNEL_PROGRESS_H
#define UNO_CHANNEL_PROGRESS_H

#include "engine/channel/link/link.h"
#include "engine/channel/offered/kept.h"
#include "engine/wait.h"

/* Looks in vain, after which the sender of an offered message may wait in vain, too. */
enum { UNO_OFFERED_LOOKS = 256 };

/* Do what was put off: give an offered message to a receive that has been posted since, and deliver queued
 * lines, for which another PE may wait that has made room for them. Whether anything moved. */
bool uno_channel_catch_up(struct uno_channel *channel);

/* That, and before it take in everything that has come. */
bool uno_channel_progress(struct uno_channel *channel);

/* Let whoever is above go on with what has waited for that: it may send and post, but not wait. Whether it
 * has gone on; then what this PE waits for may be there. */
static inline bool uno_channel_go_on(const struct uno_channel *channel) {
    return UNO_UNLIKELY(channel->on_progress != NULL) && !channel->writing && channel->on_progress();
}

/* Both. */
static inline bool uno_channel_advance(struct uno_channel *channel) {
    bool any = uno_channel_progress(channel);
    any |= uno_channel_go_on(channel);
    if (UNO_UNLIKELY(channel->offered) && !any && ++channel->idle % UNO_OFFERED_LOOKS == 0)
        any = uno_channel_fetch_offered(channel);
    return any;
}

/* The part of uno_channel_looked_in_vain for more PEs than processors. */
void uno_channel_let_others_run(struct uno_channel *channel, int k, unsigned signature);

/* To be called when the program has looked for something that has not come, and so will look again; k: the PE
 * that has to do most of all, or UNO_WILD. With more PEs than processors whoever is to bring it may need this
 * one, which is given away after some looks; meanwhile the others take this PE for one that waits in the
 * operation of that signature. With as many nothing is done: a look is to cost no call of the system. */
static inline void uno_channel_looked_in_vain(struct uno_channel *channel, int k, unsigned signature) {
    if (!channel->pe->spin)
        uno_channel_let_others_run(channel, k, signature);
}

/* The same for functions that only look, of which a program may call many without any intent to wait: time
 * passes where it would not pass by itself. */
static inline void uno_channel_let_time_pass(struct uno_channel *channel) {
    if (UNO_UNLIKELY(channel->pe->idle != NULL))
        channel->pe->idle(channel->pe);
}

/* With more PEs than processors, before such a step: whether something has come from the PE that is waited
 * for (UNO_WILD: any) while it was worth while to look for it and keep the processor. */
bool uno_channel_poll(struct uno_channel *channel, const struct uno_wait *wait);

/* One step of waiting: to be called each time that uno_channel_progress has found nothing. Sets wait->left
 * when the PE that is waited for has left; of any, when every other one has. */
void uno_channel_wait_step(struct uno_channel *channel, struct uno_wait *wait, int tag);

/* The part of uno_channel_wait_end for a wait that has had steps. */
void uno_channel_wait_over(struct uno_channel *channel, struct uno_wait *wait);

static inline void uno_channel_wait_end(struct uno_channel *channel, struct uno_wait *wait) {
    if (UNO_UNLIKELY(wait->steps))
        uno_channel_wait_over(channel, wait);
}

#endif

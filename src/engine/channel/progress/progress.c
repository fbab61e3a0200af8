#include "progress.h"

#include "engine/channel/link/queue.h"
#include "engine/group.h"
#include "engine/tuning.h"
#include "incoming.h"

bool uno_channel_catch_up(struct uno_channel *channel) {
    bool any = uno_channel_give_next(channel);
    if (channel->pe->queued)
        any |= uno_channel_deliver(channel);
    return any;
}

bool uno_channel_progress(struct uno_channel *channel) {
    uint64_t moves = channel->moves;
    bool any = uno_channel_take_in_all(channel);
    any |= uno_channel_catch_up(channel);
    return any || channel->moves != moves;
}

/* Return true if nothing can come any more from PE k, or, for UNO_WILD, from all others, of which there may
 * be none. */
static bool all_left(const struct uno_channel *channel, int k) {
    int me = channel->pe->me;
    if ((k < 0 || k == me) && uno_shifts_others(channel->pe)) /* another thread may send what is waited for */
        return false;
    if (k >= 0)
        return k == me || uno_channel_left(channel, k);
    for (k = 0; k < channel->pe->n; k++)
        if (k != me && !uno_channel_left(channel, k))
            return false;
    return true;
}

/* Return true if something has come for this PE from PE k, or, for UNO_WILD, from any. */
static bool came(struct uno_channel *channel, int k) {
    if (UNO_UNLIKELY(channel->far != NULL) && uno_channel_hear(channel))
        return true;
    if (k >= 0)
        return uno_ring_look(&uno_link_of(channel, k)->in);
    uint64_t writers[UNO_WORDS];
    uno_channel_writers(channel, writers);
    UNO_FOR_EACH_PE (i, writers, channel->pe->job->words)
        if (uno_ring_look(&uno_link_of(channel, i)->in))
            return true;
    return false;
}

/* Return true if something has come for PE j from PE i. */
static bool came_for(const struct uno_channel *channel, int j, int i) {
    const struct uno_ring *ring = uno_mail_ring(&channel->mail, i, j);
    uint64_t taken = uno_load64_relaxed(&ring->taken);
    return (uint32_t)uno_load64_relaxed(&ring->line[taken & (channel->mail.lines - 1)].header) ==
           (uint32_t)(taken + 1);
}

/* Return true if PE j would have something to do if it were given the processor, as far as can be seen. */
static bool could_go_on(const struct uno_channel *channel, int j) {
    const struct uno_box *box = uno_mail_box(&channel->mail, j);
    uint64_t doing = uno_load64_relaxed(&box->doing);
    if (!uno_doing_reads(doing))
        return uno_load32_relaxed(&channel->pe->job->board[j].state) != UNO_LEFT;
    if (uno_doing_peer(doing) >= 0)
        return came_for(channel, j, uno_doing_peer(doing));
    uint64_t writers[UNO_WORDS];
    for (int w = 0; w < channel->pe->job->words; w++)
        writers[w] = uno_load64_relaxed(&box->writer[w]);
    UNO_FOR_EACH_PE (i, writers, channel->pe->job->words)
        if (i != j && came_for(channel, j, i))
            return true;
    return false;
}

/* Return true if PE k, or, for UNO_WILD, any that writes to this one, has a processor now, as far as can be
 * seen. */
static bool at_work(const struct uno_channel *channel, int k) {
    if (k >= 0)
        return !channel->link[k].far && !uno_load64_relaxed(&uno_mail_box(&channel->mail, k)->away);
    for (k = 0; k < channel->pe->n; k++)
        if (k != channel->pe->me && channel->link[k].in.next && at_work(channel, k))
            return true;
    return false;
}

/* Return true if something comes within so many looks. */
static bool comes(struct uno_channel *channel, int k, int looks) {
    for (; looks > 0; looks--) {
        if (came(channel, k))
            return true;
        uno_pause();
    }
    return false;
}

/* The first step of a wait gives the processor away, so that the switch to the next PE goes on while others
 * work. It keeps the processor if the other PE is at work, so that its answer may come faster than that, or
 * if it is time to try whether that PE gets to work meanwhile: two PEs that meet in this way go on without
 * any switch. Returns true if something has come. */
static bool poll_first(struct uno_channel *channel, int k) {
    struct uno_link *link = &channel->link[k < 0 ? channel->pe->me : k];
    bool here = k >= 0 && uno_load32_relaxed(&channel->pe->processor[k]) ==
                              uno_load32_relaxed(&channel->pe->processor[channel->pe->me]);
    if (here)
        return false;
    if (at_work(channel, k) && comes(channel, k, UNO_ANSWER_LOOKS))
        return true;
    if (link->waits++ < link->untried)
        return false;
    bool good = comes(channel, k, UNO_SWITCH_LOOKS);
    link->waits = 0;
    link->untried = good ? 0 : link->untried < UNO_UNTRIED ? 2 * link->untried + 1 : link->untried;
    return good;
}

/* Return true if another PE on this one's processor could do anything with it. */
static bool another_could(const struct uno_channel *channel) {
    const struct uno_pe *pe = channel->pe;
    uint32_t here = uno_wait_here(channel->pe);
    for (int j = 0; j < pe->n; j++)
        if (j != pe->me && uno_load32_relaxed(&pe->processor[j]) == here && could_go_on(channel, j))
            return true;
    return false;
}

bool uno_channel_poll(struct uno_channel *channel, const struct uno_wait *wait) {
    struct uno_pe *pe = channel->pe;
    if (pe->spin || pe->paced || pe->n > UNO_KEEP_PES)
        return false;
    if (!wait->steps)
        return poll_first(channel, wait->k);
    /* A PE that comes back and still has nothing keeps the processor as long as no other PE on it could do
     * anything with it. */
    for (int i = 0; i < UNO_KEEP_LOOKS; i++) {
        if (came(channel, wait->k))
            return true;
        if (another_could(channel))
            return false;
        uno_pause();
    }
    return false;
}

/* Return true if the program, which has looked in vain, is to look again before others run. Its first looks
 * are for the answer of a PE at work, which comes faster than a switch; the next ones, also of a PE that has
 * come back since, last as long as nobody else on this processor could do anything with it. */
static bool keep(struct uno_channel *channel, int k) {
    if (channel->pe->n > UNO_KEEP_PES)
        return false;
    if (channel->vain_moves != channel->moves)
        channel->vain = 0;
    channel->vain_moves = channel->moves;
    channel->kept++;
    if (channel->vain++ < UNO_ANSWER_CALLS)
        return !(k >= 0 && uno_wait_beside(channel->pe, k)) && at_work(channel, k);
    return channel->kept < UNO_KEEP_CALLS && !another_could(channel);
}

void uno_channel_let_others_run(struct uno_channel *channel, int k, unsigned signature) {
    if (!channel->pe->idle && keep(channel, k))
        return;
    channel->kept = 0;
    uno_store64_relaxed(&channel->box->doing, UNO_DOING(signature, k, UNO_WILD));
    uno_store64_relaxed(&channel->box->away, 1);
    if (UNO_UNLIKELY(channel->pe->shifts != NULL))
        uno_shifts_pause(channel->pe->shifts);
    else
        uno_wait_give_away(channel->pe);
    uno_store64_relaxed(&channel->box->away, 0);
    uno_store64_relaxed(&channel->box->doing, 0);
}

/* Return true if anything moves that this PE may be waiting for; moves: the count before. */
static bool any_moves(struct uno_channel *channel, uint64_t moves) {
    uno_channel_find_room(channel);
    uno_channel_progress(channel);
    return channel->moves != moves;
}

/* The part of a step in which other threads that are this PE may have it. Returns true if there is nothing
 * more to do in this step; false if this thread is the one that looks. */
static UNO_COLD bool lend(struct uno_channel *channel, struct uno_wait *wait) {
    struct uno_pe *pe = channel->pe;
    uint64_t moves = channel->moves;
    wait->lends = true;
    uno_channel_find_room(channel); /* for which one of the others may wait */
    if (channel->moves != moves)
        return true;
    wait->shift.writes = wait->writes;
    if (uno_shifts_look(pe->shifts, &wait->shift))
        return false;
    wait->fenced &= uno_shifts_looks(pe->shifts, &wait->shift); /* the bell is armed by the one that looks */
    uno_fault_check(pe, wait->k, wait->signature);
    wait->left = all_left(channel, wait->k);
    return true;
}

/* Return true if lines have come from other nodes that this PE has not taken in. */
static inline bool any_unread(const struct uno_channel *channel) {
    uint64_t any = 0;
    for (int w = 0; w < channel->pe->job->words; w++)
        any |= channel->unread[w];
    return any;
}

/* Take a step at the port. Others may wait for what this PE has not done yet, and nothing wakes it there for
 * that: so it goes on with all of it before. Who waits for a message has looked at everything but the lines
 * that came with its last look; who waits for room, only at messages. Returns true if the step is over. */
static inline bool step_at_port(struct uno_channel *channel, struct uno_wait *wait,
                                const struct uno_resting *resting) {
    struct uno_pe *pe = channel->pe;
    if ((wait->writes || any_unread(channel)) && pe->progress(pe))
        return true;
    wait->left = all_left(channel, wait->k);
    if (wait->left)
        return true;
    if (!uno_wait_at_port(wait, resting))
        return false;
    uno_channel_hear(channel);
    return true;
}

void uno_channel_wait_step(struct uno_channel *channel, struct uno_wait *wait, int tag) {
    struct uno_pe *pe = channel->pe;
    if (UNO_UNLIKELY(pe->shifts != NULL) && lend(channel, wait))
        return;
    struct uno_resting resting = {.kind = wait->writes ? UNO_REST_READER : UNO_REST_MESSAGE,
                                  .doing = UNO_DOING(wait->signature, wait->k, tag),
                                  .context = wait->context,
                                  .room = wait->room};
    if (UNO_UNLIKELY(pe->paced && !pe->shifts) && step_at_port(channel, wait, &resting))
        return;
    if (!wait->steps)
        uno_store64_relaxed(&channel->box->doing, resting.doing);
    uint64_t moves = channel->moves;
    uno_store64_relaxed(&channel->box->away, !pe->spin);
    bool sleep = uno_wait_pace(wait);
    uno_store64_relaxed(&channel->box->away, 0);
    if (!sleep || channel->moves != moves || (wait->shift.done && *wait->shift.done))
        return;
    if (UNO_UNLIKELY(channel->offered) && uno_channel_fetch_offered(channel))
        return;
    wait->left = all_left(channel, wait->k);
    if (wait->left)
        return;
    /* who is stopped by an interrupt looks once more whether it goes on */
    if (uno_wait_arm(wait) && (pe->stopped || any_moves(channel, moves)))
        return;
    uno_rest_begin(pe, &resting);
    uno_wait_sleep(pe);
    uno_rest_end(pe);
}

void uno_channel_wait_over(struct uno_channel *channel, struct uno_wait *wait) {
    uno_store64_relaxed(&channel->box->doing, 0);
    uno_wait_end(wait);
}

/* No PE can go on if each PE that has not left rests (engine/rest.h), and the event that it waits for has not
 * happened.
 *
 * A PE that rests does nothing until it wakes, and when it wakes it looks for one event only, which shows in
 * the job's memory. So it is enough to see all of them rest at one moment, and for each that it waits in
 * vain:
 *
 *  1. Read the number of each PE's rest: it is odd. What the PE stored before is visible (REST).
 *  2. Look for the event that each waits for, in memory that only PEs which rest write.
 *  3. Read the numbers again: they are the same. A PE that had woken and stored anything that was read in the
 * second step would show another number, since it had withdrawn its record before (its stores are releases,
 * and these reads acquire).
 *
 * So all of the second step is of one moment, between the first and the third, in which nobody did anything;
 * and nobody ever will, since each waits for one of them. That one of them has been woken already and does
 * not run yet makes no difference: it will find what was found here. Nor does it matter for how long they
 * have rested: a PE that computes, sleeps in a call of its own, or is stopped outside of a wait does not
 * rest.
 *
 * In doubt a PE counts as able to go on: one that waits in a way that rest.h cannot describe; one that
 * still has something to write, beside others that take messages in; an interrupt that is not over.
 *
 * In a job on several machines one look sees the PEs of one node. They do nothing more unless a packet comes
 * from another node, and whether one may still come the coordinator decides (hosts/facts.h). Only the posts
 * of neighbours need nobody else: a PE that waits for such a post does not post itself before it has come. */

#include "deadlock.h"

#include <stdlib.h>

#include "engine/group.h"
#include "engine/nodes.h"

/* The state of one PE, as it was read. */
struct look {
    bool here; /* this launcher's */
    bool joined;
    uint64_t number, doing, how, at, seen;
};

struct view {
    struct uno_job *job;
    const struct uno_mail *mail;
    const struct uno_node *node; /* NULL: the job is on one machine */
    struct look *look;
    int talkers; /* PEs here that use messages */
};

static uint64_t number_of(const struct view *view, int k) {
    /* SYNC REST: what the PE waits for, and everything that it has stored */
    return uno_load64_acquire(&uno_job_rest(view->job, uno_shown_pes(view->mail), k)->number);
}

/* Read the state of PE k. False: it does not rest, or may still join. */
static bool look_at(struct view *view, int k) {
    struct uno_board *board = &view->job->board[k];
    struct uno_rest *rest = uno_job_rest(view->job, uno_shown_pes(view->mail), k);
    struct look *look = &view->look[k];
    look->here = !view->node || view->node->seat[k] == view->node->here;
    if (!look->here)
        return look->joined = true; /* whether it has left, its own node knows best */
    /* SYNC LEFT: every post of this PE, and every message */
    uint32_t state = uno_load32_acquire(&board->state);
    look->joined = state == UNO_JOINED;
    if (!look->joined)
        return state == UNO_LEFT;
    look->number = number_of(view, k);
    /* SYNC AWAKE (4): that this rest is over */
    look->doing = uno_load64_acquire(&rest->doing);
    look->how = uno_load64_acquire(&rest->how);
    look->at = uno_load64_acquire(&rest->at);
    look->seen = uno_load64_acquire(&rest->seen);
    view->talkers += uno_load32_relaxed(&board->messages) != 0;
    return look->number % 2;
}

/* Return true if a message lies in a ring to PE k. */
static bool comes(const struct view *view, int k) {
    struct uno_box *box = uno_mail_box(view->mail, k);
    for (int i = 0; i < uno_shown_pes(view->mail); i++) {
        if (!(uno_load64_relaxed(&box->writer[i / 64]) >> i % 64 & 1))
            continue;
        struct uno_ring *ring = uno_mail_ring(view->mail, i, k);
        /* SYNC TAKEN: that PE k does not rest any more, if it has taken it in */
        uint64_t taken = uno_load64_acquire(&ring->taken);
        /* SYNC LINE: not needed here */
        uint64_t header = uno_load64_acquire(&ring->line[taken & (view->mail->lines - 1)].header);
        if ((uint32_t)header == (uint32_t)(taken + 1))
            return true;
    }
    return false;
}

/* Return true if the awaited word has changed, or cannot be looked at. */
static bool changed(const struct view *view, const struct look *look) {
    int n = uno_shown_pes(view->mail);
    bool nodes = view->node || uno_nodes_each(view->job);
    size_t size = nodes ? view->job->nodes_at + uno_nodes_size(n) : uno_job_size(n, 0);
    if (look->at % 8 || look->at >= size)
        return true; /* a word that this process does not map */
    const uno_atomic64 *word = (const uno_atomic64 *)(const void *)((const char *)view->job + look->at);
    /* SYNC POST: not needed here */
    return uno_load64_acquire(word) != look->seen;
}

/* Return true if the PE that PE k waits for has left, or, if it waits for any, all other PEs have. PE k will
 * then find out. */
static bool all_left(const struct view *view, int k, int peer) {
    if (peer >= 0)
        return peer >= uno_shown_pes(view->mail) || peer == k || !view->look[peer].joined;
    for (int i = 0; i < uno_shown_pes(view->mail); i++)
        if (i != k && view->look[i].joined)
            return false;
    return true;
}

static bool can_go_on(const struct view *view, int k) {
    const struct look *look = &view->look[k];
    bool others = view->node || view->talkers > (uno_load32_relaxed(&view->job->board[k].messages) != 0);
    /* a PE that raises an interrupt, or hears of one, takes part in it before it rests */
    if (look->how & UNO_REST_STOPPED || (look->how & UNO_REST_SENDS && others))
        return true;
    if (all_left(view, k, uno_doing_peer(look->doing)))
        return true;
    switch (look->how & UNO_REST_KINDS) {
    case UNO_REST_WORD:
        /* a PE that takes messages in meanwhile may go on with those, and send others */
        return changed(view, look) || (uno_load32_relaxed(&view->job->board[k].messages) && comes(view, k));
    case UNO_REST_MESSAGE:
        return !view->mail->base || comes(view, k);
    case UNO_REST_READER:
        return others;
    default:
        return true;
    }
}

/* Return true if PE k waits for the next post of a neighbour that has not left. */
static bool waits_for_post(const struct view *view, int k) {
    const struct look *look = &view->look[k];
    int peer = uno_doing_peer(look->doing);
    if ((look->how & UNO_REST_KINDS) != UNO_REST_WORD || peer < 0 || !view->look[peer].here)
        return false;
    size_t board = (size_t)((const char *)&view->job->board[peer] - (const char *)view->job);
    return look->at >= board && look->at < board + sizeof(struct uno_board);
}

/* Return true if none of the PEs here can go on. *apart: none can, whatever the others do. */
static bool stuck(struct view *view, bool *apart) {
    int n = uno_shown_pes(view->mail), joined = 0, here = 0;
    for (int k = 0; k < n; k++) {
        if (!look_at(view, k))
            return false;
        joined += view->look[k].joined;
        here += view->look[k].joined && view->look[k].here;
    }
    if (!joined)
        return false;
    *apart = here > 0;
    for (int k = 0; k < n; k++)
        if (view->look[k].here && view->look[k].joined) {
            if (can_go_on(view, k))
                return false;
            *apart &= waits_for_post(view, k);
        }
    for (int k = 0; k < n; k++)
        if (view->look[k].here && view->look[k].joined && number_of(view, k) != view->look[k].number)
            return false;
    return true;
}

static int shown(const struct look *look) {
    return !look->here ? UNO_STUCK_FAR : look->joined ? uno_doing_peer(look->doing) : UNO_STUCK_LEFT;
}

int *uno_deadlock_here(struct uno_job *job, const struct uno_mail *mail, const struct uno_node *node,
                       bool *apart) {
    int n = uno_shown_pes(mail);
    struct view view = {job, mail, node, calloc((size_t)n, sizeof *view.look), 0};
    int *waits_for = view.look && stuck(&view, apart) ? malloc((size_t)n * sizeof *waits_for) : NULL;
    for (int k = 0; waits_for && k < n; k++)
        waits_for[k] = shown(&view.look[k]);
    free(view.look);
    return waits_for;
}

int *uno_deadlock(struct uno_job *job, const struct uno_mail *mail) {
    return uno_deadlock_here(job, mail, NULL, &(bool){false});
}

/* ---- text -------------------------------------------------------------------------------------------- */

/* Return a PE of the circle into which all waits lead; or one that waits for any PE. */
static int find_cycle(int n, const int *waits_for) {
    int k = 0;
    while (waits_for[k] < UNO_WILD)
        k++;
    for (int steps = 0; steps < n && waits_for[k] != UNO_WILD; steps++)
        k = waits_for[k];
    return k;
}

void uno_deadlock_cycle(FILE *f, int n, const int *waits_for) {
    enum { SHOWN = 16 };
    int first = find_cycle(n, waits_for), k = first, shown = 0;
    if (waits_for[first] == UNO_WILD) {
        fprintf(f, "PE %d waits for any PE, and none can go on", first);
        return;
    }
    for (int i = waits_for[first]; i != first; i = waits_for[i])
        k = i < k ? i : k;
    first = k;
    do {
        fprintf(f, shown ? ", PE %d for PE %d" : "PE %d waits for PE %d", k, waits_for[k]);
        k = waits_for[k];
    } while (++shown < SHOWN && k != first);
    if (k != first)
        fputs(", and so on", f);
}

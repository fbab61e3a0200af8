/* A PE waits if its last post is later than `done` on its board.
 *
 * Who is missing. The boards do not count operations pair by pair, so two posts of the same operation and
 * group look alike, be they one meeting or two in a row. This is enough:
 *  - A member that waits in the same operation of the same group counts as arrived. If in truth it is still
 * in the meeting before that, which was complete, or else the other PE would not have passed it, then nothing
 *    keeps it there but that it is not being run.
 *  - Any other member is missing: if it had been here, it could have gone on only because all had arrived,
 * and then the PE that waits would not.
 *  - If that leaves nobody, only a PE that does not run can be the cause, and the members that are stopped by
 * a signal are named.
 *  - A PE that is itself stopped may have been joined by everyone since: nobody is named.
 * A PE that runs through its operations while it is looked at may for once appear to wait with nobody
 * missing. */

#include "pe_places.h"

#include <stdlib.h>
#include <string.h>

#include "engine/group.h"
#include "engine/kernel.h"
#include "engine/nodes.h"
#include "engine/process.h"
#include "engine/rest.h"

/* The place of a PE, and the fields from which it is found out. */
struct view {
    bool stopped;  /* by a signal */
    bool none;     /* no process: it has ended, or is still to be started */
    bool reclaims; /* waits until another PE has read an earlier post */
    enum uno_state state;
    uint64_t since, doing; /* doing: UNO_DOING */
    struct uno_place place;
};

/* Return true if the sequence number of a header, 48 bits, is later than the number `done`. */
static bool later(uint64_t header, uint64_t done) {
    return (int64_t)(((header >> 16) - done) << 16) > 0;
}

/* Read the last post. Return true if the board did not change meanwhile. */
static bool look_at_post(struct uno_job *job, int n, int k, struct view *view) {
    struct uno_board *board = &job->board[k];
    uint64_t last = 0;
    unsigned slot = 0;
    for (unsigned s = 0; s < UNO_SLOTS; s++) {
        /* SYNC POST: mask of this post */
        uint64_t header = uno_load64_acquire(&board->slot[s].header);
        if (header && (!last || later(header, last >> 16))) {
            last = header;
            slot = s;
        }
    }
    struct uno_place *place = &view->place;
    place->signature = last & 0xffff;
    const uno_atomic64 *group = n <= 64 ? &board->slot[slot].group : uno_job_group(job, n, k, slot);
    for (int w = 0; w < (n + 63) / 64; w++) /* SYNC MASK: header 0 */
        place->group[w] = last ? uno_load64_acquire(&group[w]) : 0;
    /* SYNC DONE: only the number itself is used */
    place->waits = last && later(last, uno_load64_acquire(&board->done));
    view->since = uno_load64_relaxed(&board->since);
    return !last || uno_load64_relaxed(&board->slot[slot].header) == last;
}

/* Note that a PE waits for PE k alone. */
static void add_missing(struct uno_place *place, int k) {
    place->missing = 1;
    place->missing_mask[k / 64] = (uint64_t)1 << k % 64;
}

/* Read from the PE's box whether it waits in an operation of messages. */
static void look_at_box(struct view *view) {
    struct uno_place *place = &view->place;
    int type = (int)((uint32_t)(view->doing >> 32) - 1);
    place->waits = place->exchanges = true;
    place->signature = view->doing & 0xffff;
    place->peer = uno_doing_peer(view->doing);
    struct uno_peer_words words = uno_signature_peer(place->signature);
    bool typed = words.type && (place->room || !words.communicator);
    place->type = typed ? type : UNO_NO_TYPE;
    memset(place->group, 0, sizeof place->group);
    memset(place->missing_mask, 0, sizeof place->missing_mask);
    place->missing = 0;
    if (place->peer >= 0 && place->peer < UNO_MAX_PES)
        add_missing(place, place->peer);
}

/* Read the message for which the PE sleeps. */
static void look_at_rest(struct uno_job *job, int n, int k, struct view *view) {
    struct uno_rest *rest = uno_job_rest(job, n, k);
    struct uno_place *place = &view->place;
    /* SYNC REST: what it waits for */
    uint64_t number = uno_load64_acquire(&rest->number);
    uint64_t context = uno_load64_relaxed(&rest->context), room = uno_load64_relaxed(&rest->room);
    if (number % 2 == 0 || (uno_load64_relaxed(&rest->how) & UNO_REST_KINDS) != UNO_REST_MESSAGE)
        return;
    place->context = (uint32_t)context;
    place->room = room;
}

/* Return what a PE waits for in an operation of messages, as UNO_DOING has it; 0: nothing. PEs that are nodes
 * of their own show it only while they sleep. */
static uint64_t doing_of(struct uno_job *job, const struct uno_mail *mail, int k) {
    struct uno_rest *rest = uno_job_rest(job, uno_shown_pes(mail), k);
    if (!uno_nodes_each(job))
        return uno_shown_doing(mail, k);
    /* SYNC REST: what it waits for */
    uint64_t number = uno_load64_acquire(&rest->number);
    bool receives = number % 2 && (uno_load64_relaxed(&rest->how) & UNO_REST_KINDS) == UNO_REST_MESSAGE;
    return receives ? uno_load64_relaxed(&rest->doing) : 0;
}

/* Read the operation for which a PE, alone of its group on this node, awaits what a PE of another node sends:
 * nobody here would have read a post. Returns false if it does not sleep now, and so shows nothing. */
static bool look_at_part(struct uno_job *job, int n, int k, struct view *view) {
    struct uno_rest *rest = uno_job_rest(job, n, k);
    struct uno_place *place = &view->place;
    /* SYNC REST: what it waits for */
    uint64_t number = uno_load64_acquire(&rest->number);
    uint64_t doing = uno_load64_relaxed(&rest->doing), how = uno_load64_relaxed(&rest->how);
    if (number % 2 == 0)
        return false;
    if ((how & UNO_REST_KINDS) != UNO_REST_WORD ||
        uno_load64_relaxed(&rest->at) != uno_nodes_packets_at(job, k))
        return true;
    place->waits = true;
    place->signature = doing & 0xffff;
    memset(place->group, 0, sizeof place->group);
    place->group[0] = uno_load64_relaxed(&rest->context);
    int peer = uno_doing_peer(doing);
    if (!place->group[0] && peer >= 0 && peer < n)
        add_missing(place, peer);
    return true;
}

/* A PE that waits wakes now and then, for a moment. */
static void await_part(struct uno_job *job, int n, int k, struct view *view) {
    enum { LOOKS = 100, LOOK_NS = 1000 * 1000 };
    for (int looks = LOOKS; looks && !look_at_part(job, n, k, view); looks--) {
        if (view->stopped || !view->since || !job->nodes_at)
            return;
        uno_kernel_pause(LOOK_NS);
        view->since = uno_load64_relaxed(&job->board[k].since);
    }
}

static void look(struct uno_job *job, int n, int k, const pid_t *process, struct view *view) {
    struct uno_board *board = &job->board[k];
    struct uno_place *place = &view->place;
    /* SYNC JOINED: pid. SYNC LEFT: every post of this PE */
    view->state = (enum uno_state)uno_load32_acquire(&board->state);
    for (int tries = 100; tries && !look_at_post(job, n, k, view); tries--)
        ;
    pid_t parent;
    char letter = 0;
    if (view->state != UNO_ABSENT)
        place->pid = board->pid;
    else if (process)
        place->pid = process[k];
    bool there = place->pid && uno_process_look(place->pid, &letter, &parent) && letter != 'Z';
    view->none = process ? !process[k] : view->state == UNO_LEFT && !there;
    view->stopped = !view->none && there && (letter == 'T' || letter == 't');
    bool joined = view->state == UNO_JOINED && !view->none;
    if (joined && !place->waits)
        await_part(job, n, k, view);
    view->reclaims = joined && !place->waits && view->since && !view->stopped;
    place->waits &= joined;
    int awaited = board->awaited;
    if (view->reclaims && awaited >= 0 && awaited < n)
        add_missing(place, awaited);
}

static bool meets(const struct uno_place *a, const struct uno_place *b, int words) {
    return b->waits && !b->exchanges && a->signature == b->signature &&
           memcmp(a->group, b->group, (size_t)words * sizeof *a->group) == 0;
}

/* Find the members for which a waiting PE waits. */
static void find_missing(int n, const struct view *view, struct view *waiting) {
    struct uno_place *place = &waiting->place;
    int stopped = 0, words = (n + 63) / 64;
    uint64_t stopped_mask[UNO_WORDS] = {0};
    if (waiting->stopped || place->missing)
        return;
    UNO_FOR_EACH_PE (m, place->group, words) {
        if (m >= n)
            break;
        uint64_t bit = (uint64_t)1 << (m % 64);
        if (!meets(place, &view[m].place, words)) {
            place->missing_mask[m / 64] |= bit;
            place->missing++;
        } else if (view[m].stopped) {
            stopped_mask[m / 64] |= bit;
            stopped++;
        }
    }
    if (place->missing)
        return;
    memcpy(place->missing_mask, stopped_mask, sizeof stopped_mask);
    place->missing = stopped;
}

static const char *state_of(const struct view *view) {
    return view->none && view->state == UNO_LEFT ? "ended"
           : view->state == UNO_LEFT             ? "left"
           : view->stopped                       ? "stopped by a signal"
           : view->state == UNO_ABSENT           ? "not checked in"
           : view->place.waits                   ? "waiting"
           : view->reclaims                      ? "waiting until its earlier posts are read"
                                                 : "running";
}

struct uno_place *uno_places(struct uno_job *job, const struct uno_mail *mail, const pid_t *process) {
    int n = uno_shown_pes(mail);
    struct view *view = calloc((size_t)n, sizeof *view);
    struct uno_place *place = calloc((size_t)n, sizeof *place);
    bool messages = uno_shown_any(job, mail);
    for (int k = 0; view && place && k < n; k++) {
        look(job, n, k, process, &view[k]);
        view[k].doing = messages ? doing_of(job, mail, k) : 0;
        if (view[k].doing && view[k].state == UNO_JOINED && !view[k].none) {
            look_at_rest(job, n, k, &view[k]);
            look_at_box(&view[k]);
        }
    }
    uint64_t now = uno_kernel_now();
    for (int k = 0; view && place && k < n; k++) {
        struct view *v = &view[k];
        v->place.state = state_of(v);
        v->place.gone = v->state == UNO_LEFT;
        if (v->place.waits && !v->place.exchanges)
            find_missing(n, view, v);
        if (v->place.waits && v->since && v->since < now)
            v->place.waited = now - v->since;
        place[k] = v->place;
        if (v->state != UNO_JOINED)
            place[k].signature = 0;
    }
    if (!view) {
        free(place);
        place = NULL;
    }
    free(view);
    return place;
}

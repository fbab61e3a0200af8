#include "far.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fault.h"
#include "engine/kernel.h"
#include "engine/signature.h"
#include "engine/tuning.h"
#include "engine/wait.h"
#include "watcher.h"

/* ---- packets out --------------------------------------------------------------------------------------- */

bool uno_far_name(struct uno_pe *pe, int k) {
    struct uno_far *far = pe->far;
    struct uno_node_place *place = &uno_nodes_of(pe->job)->place[k];
    /* SYNC ADDRESS: the bytes of the address */
    uint32_t bytes = uno_load32_acquire(&place->address_bytes);
    if (!bytes)
        return false;
    int error = far->kind->name_peer(far->net, place->address, bytes, &far->peer[k].number);
    if (error)
        uno_fail(pe, "the address of PE %d on %s cannot be used: %s", k, uno_node_name(pe, k),
                 strerror(-error));
    far->peer[k].named = true;
    return true;
}

/* The network does not tell to whom a packet went that had no context. */
enum { NOBODY = -1 };

/* A packet or a write to PE k has failed, or one to somebody. The agents tell within a moment whether PE k or
 * its node has ended; only if they do not, the connection itself is the reason. */
static void fails(struct uno_pe *pe, int k, const char *why) {
    struct uno_far *far = pe->far;
    if (k != NOBODY)
        far->peer[k].broken = true;
    if (far->broken || far->leaves)
        return;
    far->broken = uno_kernel_now();
    far->broken_to = k;
    snprintf(far->why, sizeof far->why, "%s", why);
}

bool uno_far_is_refused(struct uno_pe *pe, int k, struct uno_far_sending *sending, int error) {
    if (error == -EAGAIN) {
        uno_far_count(pe, k, (uint64_t)-1);
        return false;
    }
    fails(pe, k, strerror(-error));
    if (sending && sending->over)
        sending->over(pe, sending);
    return true;
}

bool uno_far_expose(struct uno_pe *pe, void *memory, size_t bytes, struct uno_net_key *key, void **exposed) {
    const struct uno_far *far = pe->far;
    return far->kind->expose(far->net, memory, bytes, key, exposed) == 0;
}

bool uno_far_write(struct uno_pe *pe, int k, const struct uno_net_key *key, size_t at, const void *data,
                   size_t bytes, struct uno_far_sending *sending) {
    struct uno_far *far = pe->far;
    sending->to = k;
    int error = far->kind->write(far->net, far->peer[k].number, key, at, data, bytes, sending);
    if (error == -EAGAIN)
        return false;
    if (error) {
        fails(pe, k, strerror(-error));
        sending->over(pe, sending);
    }
    return true;
}

static bool send_head(struct uno_pe *pe, int k, enum uno_far_kind kind) {
    struct uno_far_head head = {.kind = (uint16_t)kind, .from = (uint16_t)pe->me};
    return uno_far_send(pe, k, &(struct iovec){&head, sizeof head}, 1, NULL);
}

/* ---- packets in ---------------------------------------------------------------------------------------- */

static void take(struct uno_pe *pe, const struct uno_net_event *event) {
    struct uno_far *far = pe->far;
    const struct uno_far_head *head = (const void *)event->data;
    bool known = event->bytes >= sizeof *head && head->kind < UNO_FAR_KINDS && head->from < pe->n &&
                 (far->peer[head->from].met || uno_is_far(pe, head->from)) && far->take[head->kind];
    if (UNO_UNLIKELY(!known))
        uno_fail(pe, "a packet of %zu bytes has come from the network that no PE of this job sends",
                 event->bytes);
    far->peer[head->from].met = true;
    far->unheard = 0;
    uno_store64_relaxed(far->taken, uno_load64_relaxed(far->taken) + 1);
    if (!far->take[head->kind](pe, head, event->data + sizeof *head, event->bytes - sizeof *head,
                               event->packet))
        far->kind->release(far->net, event->packet);
}

static void lost(struct uno_pe *pe) {
    struct uno_far *far = pe->far;
    /* SYNC LEFT: not needed here */
    if (far->broken_to != NOBODY && uno_load32_acquire(&pe->job->board[far->broken_to].state) == UNO_LEFT) {
        far->broken = 0; /* who has left takes nothing in */
        return;
    }
    if (uno_kernel_now() - far->broken < UNO_FAR_LOST_NS)
        return;
    if (far->broken_to == NOBODY)
        uno_fail(pe, "the connection to a PE on another node is lost: %s", far->why);
    uno_fail(pe, "the connection to PE %d on %s is lost: %s", far->broken_to,
             uno_node_name(pe, far->broken_to), far->why);
}

bool uno_far_poll(struct uno_pe *pe) {
    struct uno_far *far = pe->far;
    struct uno_net_event event;
    bool any = false;
    while (far->kind->poll(far->net, &event)) {
        any = true;
        if (event.what == UNO_NET_ARRIVED) {
            take(pe, &event);
            break; /* the caller, who waits for it, looks before it spends a call of the system on the next
                      one */
        }
        struct uno_far_sending *sending = event.context;
        if (event.what == UNO_NET_FAILED)
            fails(pe, sending ? sending->to : NOBODY, event.text);
        if (sending && sending->over)
            sending->over(pe, sending);
    }
    if (UNO_UNLIKELY(far->goes_on))
        far->go_on(pe, any);
    if (UNO_UNLIKELY(far->broken))
        lost(pe);
    return any;
}

/* ---- the beginning and the end ------------------------------------------------------------------------- */

static bool take_bye(struct uno_pe *pe, const struct uno_far_head *head, const char *data, size_t bytes,
                     void *packet) {
    (void)data, (void)bytes, (void)packet;
    pe->far->peer[head->from].bye = true;
    /* Without room it is not told again: this PE says goodbye itself before it leaves. */
    send_head(pe, head->from, UNO_FAR_SEEN);
    return false;
}

static bool take_seen(struct uno_pe *pe, const struct uno_far_head *head, const char *data, size_t bytes,
                      void *packet) {
    (void)data, (void)bytes, (void)packet;
    pe->far->peer[head->from].seen = true;
    return false;
}

/* Note for all PEs on other nodes when their boards first showed that they have left: whoever waits for any
 * of them waits for all at the same time. */
static void note_left(struct uno_pe *pe, uint64_t now) {
    for (int k = 0; k < pe->n; k++)
        /* SYNC LEFT: not needed here */
        if (!pe->far->peer[k].left && uno_load32_acquire(&pe->job->board[k].state) == UNO_LEFT)
            pe->far->peer[k].left = now;
}

/* As of pe->left. */
static bool has_left(struct uno_pe *pe, int k) {
    struct uno_far_peer *peer = &pe->far->peer[k];
    /* SYNC LEFT: every post of PE k, if it is a neighbour */
    if (uno_load32_acquire(&pe->job->board[k].state) != UNO_LEFT)
        return false;
    if (!uno_is_far(pe, k))
        return true;
    uno_far_poll(pe);
    if (peer->bye)
        return true;
    uint64_t now = uno_kernel_now();
    note_left(pe, now);
    return now - peer->left >= UNO_FAR_LEFT_NS;
}

/* As of pe->watch. */
static bool watch(struct uno_pe *pe) {
    struct uno_far *far = pe->far;
    return far->kind->may_sleep(far->net) &&
           uno_watcher_watch(&far->watcher, far->kind->descriptor(far->net), pe->bell);
}

void uno_far_sleepless(struct uno_pe *pe) {
    pe->watch = NULL;
    uno_watcher_end(&pe->far->watcher);
}

void uno_far_start(struct uno_pe *pe, const struct uno_net_kind *kind, struct uno_net *net) {
    struct uno_far *far = calloc(1, sizeof *far + (size_t)pe->n * sizeof *far->peer);
    if (!far)
        uno_fail(pe, "p_init: out of memory");
    far->kind = kind;
    far->net = net;
    far->least = far->kind->least(far->net);
    far->each = uno_nodes_each(pe->job);
    far->taken = &uno_nodes_of(pe->job)->place[pe->me].packets;
    far->take[UNO_FAR_BYE] = take_bye;
    far->take[UNO_FAR_SEEN] = take_seen;
    pe->far = far;
    pe->hear = uno_far_poll;
    pe->left = has_left;
    pe->watch = watch;
}

void uno_far_free_later(struct uno_pe *pe, void *memory) {
    struct uno_far *far = pe->far;
    if (!memory)
        return;
    void **grown = realloc(far->later, ((size_t)far->laters + 1) * sizeof *grown);
    if (!grown)
        uno_fail(pe, "out of memory");
    far->later = grown;
    far->later[far->laters++] = memory;
}

/* Return true if PE k need not be waited for any more. */
static bool is_settled(struct uno_pe *pe, int k) {
    const struct uno_far_peer *peer = &pe->far->peer[k];
    if (!peer->met || peer->bye || peer->seen || peer->broken)
        return true;
    if (uno_nodes_each(pe->job)) /* on tiles the time at which a board shows it is not that of packets */
        return uno_pe_left(pe, k);
    /* SYNC LEFT: not needed here */
    return uno_load32_acquire(&pe->job->board[k].state) == UNO_LEFT;
}

/* Say goodbye to all that this PE has met, as far as there is room: a packet may still come from one that it
 * had not met before. Returns the first that is to be waited for; -1: there is none. */
static int say_goodbye(struct uno_pe *pe) {
    int first = -1;
    for (int k = 0; k < pe->n; k++) {
        struct uno_far_peer *peer = &pe->far->peer[k];
        if (is_settled(pe, k))
            continue;
        if (!peer->told)
            peer->told = send_head(pe, k, UNO_FAR_BYE);
        if (first < 0)
            first = k;
    }
    return first;
}

void uno_far_end(struct uno_pe *pe) {
    struct uno_far *far = pe->far;
    far->leaves = true;
    for (int k; (k = say_goodbye(pe)) >= 0;) {
        struct uno_wait wait = {.pe = pe, .k = k, .signature = UNO_SIGNATURE(UNO_EXIT, 0)};
        while (say_goodbye(pe) == k)
            if (!uno_far_poll(pe))
                uno_wait_step(&wait, NULL, 0);
        uno_wait_end(&wait);
    }
    uno_far_sleepless(pe);
    far->kind->close(far->net);
    while (far->laters)
        free(far->later[--far->laters]);
    free(far->later);
    pe->far = NULL;
    pe->hear = NULL;
    pe->left = NULL;
    free(far);
}

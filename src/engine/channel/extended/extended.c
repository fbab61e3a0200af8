/* The extended protocol: both ends know beforehand what comes, so nothing is matched, and data go straight to
 * where they belong if the sender reaches that. vertex.h describes it. */

#include "extended.h"

#include <stdlib.h>
#include <string.h>

#include "agreed.h"
#include "engine/channel/link/foreign.h"
#include "engine/channel/link/queue.h"
#include "engine/channel/progress/incoming.h"
#include "engine/channel/progress/progress.h"
#include "engine/group.h"
#include "engine/reach.h"

/* Bytes from which the kernel copies. Below, a call of it takes longer than everything else. */
enum { REACH_LEAST = 16 * 1024 };

/* Where data are to be put: in the receiver's heap, or else an address of its process. */
#define IN_HEAP ((uint64_t)1 << 63)

/* ---- switching --------------------------------------------------------------------------------------- */

static void set_extended(struct uno_link *link, bool extended) {
    link->extended = extended;
    uno_link_settle(link);
}

void uno_channel_extend(struct uno_channel *channel, int k, const char *name) {
    struct uno_link *link = uno_link_of(channel, k);
    struct uno_pe *pe = channel->pe;
    if (k == pe->me)
        uno_fail(pe, "%s: PE %d is this one; a channel joins two", name, k);
    if (link->extended)
        return;
    uno_channel_take_in(channel, k);
    struct uno_envelope any = {channel->view.context, k, UNO_WILD};
    if (uno_messages_find(&channel->messages, &any))
        uno_fail(pe, "%s: standard messages from PE %d to PE %d have not been read yet", name, k, pe->me);
    if (!link->agreed)
        link->agreed = uno_channel_memory(channel, calloc(1, sizeof *link->agreed));
    uno_atomic64 *word = &channel->box->extended[k / 64];
    uno_store64_relaxed(word, uno_load64_relaxed(word) | (uint64_t)1 << k % 64);
    set_extended(link, true);
}

void uno_channel_unextend(struct uno_channel *channel, int k, const char *name) {
    struct uno_link *link = &channel->link[k];
    struct uno_pe *pe = channel->pe;
    if (!link->extended)
        return;
    uno_channel_progress(channel);
    if (link->agreed->requested != link->agreed->arrived)
        uno_fail(pe, "%s: a message from PE %d has been requested by PE %d, and not come yet", name, k,
                 pe->me);
    if (link->first)
        uno_fail(pe, "%s: a message to PE %d is not complete yet", name, k);
    set_extended(link, false);
}

static struct uno_agreed *agreed(struct uno_channel *channel, int k, const char *name) {
    struct uno_link *link = &channel->link[k];
    if (UNO_UNLIKELY(!link->extended))
        uno_fail(channel->pe, "%s: the channel to PE %d is standard; extend it first", name, k);
    return link->agreed;
}

/* ---- requests ---------------------------------------------------------------------------------------- */

void uno_channel_request(struct uno_channel *channel, int k, void *data, size_t bytes, int *flag,
                         const char *name) {
    struct uno_agreed *a = agreed(channel, k, name);
    if (a->requested - a->arrived == UNO_REQUESTS)
        uno_channel_take_in(channel, k);
    if (UNO_UNLIKELY(a->requested - a->arrived == UNO_REQUESTS))
        uno_fail(channel->pe,
                 "%s: %d messages from PE %d have been requested and not come yet; so many can be", name,
                 UNO_REQUESTS, k);
    if (UNO_UNLIKELY(uno_ring_look(&channel->link[k].in)))
        uno_channel_take_in(channel, k); /* one that nobody requested is an error now */
    uint64_t at = uno_windows_at(&channel->windows, data);
    uint64_t place = at == UNO_NOWHERE ? (uint64_t)(uintptr_t)data : at | IN_HEAP;
    unsigned i = ++a->requested % UNO_REQUESTS;
    a->request[i].data = data;
    a->request[i].bytes = bytes;
    a->request[i].flag = flag;
    *flag = 0;
    uno_bit_set(channel->asking, k);
    uno_ring_request(&channel->link[k].in, a->requested, bytes, place);
}

/* ---- sending ----------------------------------------------------------------------------------------- */

/* The place where a PE wants its message: in memory that this process has too, or in that PE's own memory; or
 * neither, if this process has no room for it. */
struct place {
    char *here;     /* or NULL */
    uint64_t there; /* or 0 */
};

static struct place place(struct uno_channel *channel, int k, size_t bytes, const char *name) {
    struct uno_link *link = &channel->link[k];
    struct uno_pe *pe = channel->pe;
    uint64_t wanted, at;
    if (!uno_ring_requested(&link->out, link->agreed->sent, &wanted, &at))
        uno_fail(pe, "%s: PE %d sends an extended message of %zu bytes to PE %d, which has not requested it",
                 name, pe->me, bytes, k);
    if (wanted != bytes)
        uno_fail(pe, "%s: PE %d sends an extended message of %zu bytes to PE %d, which has requested %zu",
                 name, pe->me, bytes, k, (size_t)wanted);
    if (at & IN_HEAP)
        return (struct place){.here = uno_channel_reach(channel, k, at & ~IN_HEAP, bytes)};
    if (pe->job->mail_at == UNO_MAIL_OWN)
        return (struct place){.here = (char *)(uintptr_t)at};
    return (struct place){.there = at};
}

/* Copy straight to where PE k wants its next message, if that can be reached and it is worth while. */
static bool copy_there(struct uno_channel *channel, int k, const void *data, size_t bytes, const char *name) {
    if (channel->link[k].far) /* whose request is not seen here: it checks what comes itself */
        return false;
    struct place to = place(channel, k, bytes, name);
    if (!to.here)
        return to.there && bytes >= REACH_LEAST && uno_reach_write(channel->pe, k, to.there, data, bytes);
    memcpy(to.here, data, bytes);
    if (UNO_UNLIKELY(bytes > uno_mail_step(channel->pe->n)) && uno_sparse_few())
        uno_channel_let_go(channel, k);
    return true;
}

/* Send to one PE. completion: made at the first thing that is not complete at once. */
static void send_one(struct uno_channel *channel, int k, const void *data, size_t bytes,
                     struct uno_completion **completion, const char *name) {
    struct uno_link *link = &channel->link[k];
    agreed(channel, k, name)->sent++;
    if (UNO_UNLIKELY(!link->known))
        uno_channel_become_known(channel, k);
    if (bytes <= UNO_RING_BYTES) {
        if (UNO_LIKELY(!link->first && uno_ring_room(&link->out, uno_ring_lines(bytes)))) {
            uno_ring_put(&link->out, UNO_KIND_AGREED, 0, data, bytes);
            uno_link_ring(link);
        } else {
            struct uno_put line = {.kind = UNO_KIND_AGREED, .bytes = (unsigned)bytes, .data = data};
            uno_channel_put_line(channel, k, &line);
        }
        return;
    }
    if (copy_there(channel, k, data, bytes, name)) {
        uno_channel_put_line(channel, k, &(struct uno_put){.word = bytes, .kind = UNO_KIND_AGREED_DONE});
        return;
    }
    if (!*completion) {
        *completion = uno_channel_memory(channel, calloc(1, sizeof **completion));
        (*completion)->left = 1; /* until all have begun */
    }
    (*completion)->left++;
    struct uno_sending s = {.channel = channel,
                            .k = k,
                            .word = uno_channel_word(channel->view.context, 0),
                            .data = data,
                            .bytes = bytes};
    uno_channel_queue_data(&s, UNO_KIND_AGREED_FIRST, UNO_KIND_AGREED_MORE, *completion);
}

void uno_channel_send_agreed(struct uno_channel *channel, const int *pes, int count, const void *data,
                             size_t bytes, int *flag, const char *name) {
    struct uno_completion *completion = NULL;
    *flag = 0;
    for (int i = 0; i < count; i++)
        send_one(channel, pes[i], data, bytes, &completion, name);
    if (completion) {
        completion->flag = flag;
        uno_completion_step(completion);
    } else {
        *flag = 1;
    }
}

/* ---- waiting ----------------------------------------------------------------------------------------- */

/* Return the PE whose message sets the flag, or the first of several; -1: there is none. */
static int whose(struct uno_channel *channel, const int *flag) {
    UNO_FOR_EACH_PE (k, channel->asking, channel->pe->job->words) {
        const struct uno_agreed *a = channel->link[k].agreed;
        for (uint64_t i = a->arrived + 1; i <= a->requested; i++)
            if (a->request[i % UNO_REQUESTS].flag == flag)
                return k;
    }
    UNO_FOR_EACH_PE (k, channel->queued, channel->pe->job->words)
        for (const struct uno_queued *q = channel->link[k].first; q; q = q->next)
            if (q->completion && q->completion->flag == flag)
                return k;
    return -1;
}

/* Take in a short message from PE k that sets this flag, in a straight line, with the effect of
 * uno_channel_take_in. Returns true if it has come. */
static inline bool await_short(struct uno_channel *channel, int k, const int *flag) {
    struct uno_link *link = &channel->link[k];
    uint64_t header = uno_ring_look(&link->in);
    if (!header || uno_line_kind(header) != UNO_KIND_AGREED || !link->extended)
        return false;
    const struct uno_agreed *a = link->agreed;
    unsigned i = (a->arrived + 1) % UNO_REQUESTS;
    size_t bytes = uno_line_bytes(header);
    if (a->arrived == a->requested || a->request[i].flag != flag || a->request[i].bytes != bytes)
        return false;
    uno_ring_get(&link->in, a->request[i].data, bytes);
    uno_ring_take(&link->in, uno_ring_lines(bytes));
    uno_channel_agreed_done(channel, k);
    channel->moves++;
    uno_link_ring(link);
    return true;
}

void uno_channel_await(struct uno_channel *channel, const int *flag, unsigned signature, const char *name) {
    if (*flag)
        return;
    int k = whose(channel, flag);
    if (k < 0)
        uno_fail(channel->pe, "%s: the flag belongs to nothing that is open", name);
    uno_ring_await(&channel->link[k].in, channel->link[k].far ? 0 : channel->pe->polls);
    if (UNO_LIKELY(await_short(channel, k, flag)))
        return;
    uno_channel_take_in(channel, k);
    struct uno_wait wait = {.pe = channel->pe, .k = k, .signature = signature};
    while (!*(const volatile int *)flag) {
        if (uno_channel_progress(channel))
            continue;
        if (wait.left) {
            int left = k;
            k = whose(channel, flag);
            if (k != left) { /* that one has taken its part and left, and another one has not */
                wait.left = false;
                wait.k = k;
                continue;
            }
            char op[UNO_SIGNATURE_TEXT];
            uno_fault_check(channel->pe, k, signature);
            uno_fail(channel->pe, "%s waits for PE %d, which has left", uno_signature_text(signature, op), k);
        }
        if (!uno_channel_poll(channel, &wait))
            uno_channel_wait_step(channel, &wait, UNO_WILD);
    }
    uno_channel_wait_end(channel, &wait);
}

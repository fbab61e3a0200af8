#include "call.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caller.h"
#include "communicators.h"
#include "share.h"
#include "requests.h"

static struct uno_seer seer;
static bool on, several;          /* calls are recorded; several threads may call at the same time */
static _Thread_local bool within; /* this thread is in a call that is recorded */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take(void) {
    if (UNO_UNLIKELY(several))
        pthread_mutex_lock(&lock);
}

static void give(void) {
    if (UNO_UNLIKELY(several))
        pthread_mutex_unlock(&lock);
}

/* ---- other machines ---------------------------------------------------------------------------------- */

static uno_atomic64
    heard[UNO_SEEN_RANKS]; /* the tick at which something came from each rank of another machine */

/* The library below calls this (engine/observe.h). */
__attribute__((visibility("default"))) void p_heard(int k);
void p_heard(int k) {
    if (on)
        uno_store64_relaxed(&heard[k], uno_seen_ticks(seer.memory->ticks));
}

/* ---- the run ----------------------------------------------------------------------------------------- */

void uno_seen_start(const struct uno_seen_below *abi, int rank, int size, bool threads) {
    uno_seen_below = abi;
    struct uno_seen_memory *memory = uno_seen_open(size);
    int error = memory ? uno_seer_begin(&seer, memory, rank, size, abi->functions) : -errno;
    if (error) {
        fprintf(stderr, "unisono: rank %d records no calls for --stats: %s\n", rank, strerror(-error));
        return;
    }
    uno_seen_callers_find();
    seer.own->is_pe = uno_seen_below->pes;
    seer.place_of = uno_seen_caller_text;
    several = threads;
    on = true;
}

void uno_seen_finish(void) {
    if (!on)
        return;
    on = false;
    uno_seer_end(&seer);
    uno_seen_request_end();
    uno_seen_comm_end();
}

/* ---- before the work --------------------------------------------------------------------------------- */

bool uno_seen_enter(struct uno_seen_passed *m, unsigned function, const void *address, const void *frame,
                    uint64_t comm) {
    if (!on || within)
        return false;
    within = true;
    take();
    m->comm = comm ? uno_seen_comm_of(&seer, comm) : NULL;
    m->about.what = 0;
    m->bytes = 0;
    m->handles = 0;
    m->freed = 0;
    uno_seen_begin(&seer, &m->call, function, uno_seen_below->names[function],
                   uno_seen_caller(address, frame), m->comm ? m->comm->number : 0);
    return true;
}

/* Record the message or collective of the call as happening now. */
static void happen(struct uno_seen_passed *m, struct uno_seen_about *about) {
    if (about->what & UNO_SEEN_SEND)
        uno_seen_sends(&seer, &m->call, about->comm->id, about->to, about->tag, about->bytes);
    if (about->what & UNO_SEEN_RECEIVE)
        about->asked = uno_seen_asks(&seer, &m->call, uno_seen_message(about->from, seer.me, about->comm->id),
                                     about->from_tag);
    if (about->what & UNO_SEEN_MEET)
        uno_seen_comes(&seer, &m->call, about->meeting);
    if (about->what & (UNO_SEEN_SEND | UNO_SEEN_MEET))
        m->bytes += about->bytes;
}

void uno_seen_send(struct uno_seen_passed *m, int to, int tag, uint64_t bytes) {
    if (!m->comm || uno_seen_world(m->comm, to) < 0)
        return;
    if (m->about.what & UNO_SEEN_SEND) /* a call that sends several messages: this is not the first */
        happen(m, &m->about);
    m->about.what |= UNO_SEEN_SEND;
    m->about.comm = m->comm;
    m->about.to = uno_seen_world(m->comm, to);
    m->about.tag = tag;
    m->about.bytes = bytes;
}

void uno_seen_receive(struct uno_seen_passed *m, int from, int tag, bool takes) {
    int any = from == uno_seen_below->any_source;
    if (!m->comm || (!any && uno_seen_world(m->comm, from) < 0))
        return;
    m->about.what |= UNO_SEEN_RECEIVE;
    m->about.comm = m->comm;
    m->about.from = any ? UNO_SEEN_ANY : uno_seen_world(m->comm, from);
    m->about.from_tag = tag == uno_seen_below->any_tag ? UNO_SEEN_ANY : tag;
    m->about.takes = takes;
}

void uno_seen_meet(struct uno_seen_passed *m, int root, uint64_t bytes) {
    if (!m->comm)
        return;
    m->about.what |= UNO_SEEN_MEET;
    m->about.comm = m->comm;
    m->about.root = root < 0 ? -1 : uno_seen_world(m->comm, root);
    m->about.bytes = bytes;
    m->about.meeting = uno_seen_meeting(m->comm->id, m->comm->met++);
}

void uno_seen_restart(struct uno_seen_passed *m, uint64_t handle) {
    struct uno_seen_kept *request = uno_seen_request_of(handle);
    if (!request)
        return;
    if (request->about.what & UNO_SEEN_MEET) /* all members start it as often */
        request->about.meeting = uno_seen_meeting(request->about.meeting, 0);
    happen(m, &request->about);
}

void uno_seen_look(struct uno_seen_passed *m, long count) {
    bool few = count <= (long)(sizeof m->few / sizeof *m->few);
    m->handle = few ? m->few : malloc((size_t)count * sizeof *m->handle);
    m->handles = m->handle && count > 0 ? count : 0;
}

/* Return true if only the status of a receive tells which message has come: from which rank, or, in a
 * timeline, of which tag. */
static bool asks_source(const struct uno_seen_about *about) {
    return about->what & UNO_SEEN_RECEIVE &&
           (about->from == UNO_SEEN_ANY || (seer.trace.file >= 0 && about->from_tag == UNO_SEEN_ANY));
}

bool uno_seen_asks_status(const struct uno_seen_passed *m) {
    bool asks = asks_source(&m->about);
    for (long i = 0; i < m->handles && !asks; i++) {
        struct uno_seen_kept *request = uno_seen_request_of(m->handle[i]);
        asks = request && asks_source(&request->about);
    }
    return asks;
}

void uno_seen_go(struct uno_seen_passed *m, bool persistent) {
    if (m->about.what && !persistent)
        happen(m, &m->about);
    give();
}

/* ---- afterwards -------------------------------------------------------------------------------------- */

void uno_seen_back(struct uno_seen_passed *m) {
    m->is_long = uno_seen_took_long(&seer, &m->call);
    take();
}

/* A receiver on another machine has answered, unless what has come from there is a message, which counts
 * first where the call receives one, too. A message that need not wait takes some time to be handed to the
 * network, in which another one may come. */
static void explain_far_send(struct uno_seen_call *call, int to) {
    enum { HANDED = 10 };
    uint64_t at = uno_load64_relaxed(&heard[to]);
    if (at > call->began + HANDED * seer.memory->long_ticks)
        uno_seen_waited_far(call, at - 1, 0, to, UNO_LATE_RECEIVER);
}

/* Explain why a call took long that was about this, or has completed a request about it. */
static UNO_COLD void explain(struct uno_seen_passed *m, const struct uno_seen_about *about) {
    const struct uno_seen_known *comm = about->comm;
    struct uno_seen_call *call = &m->call;
    if (about->what & UNO_SEEN_RECEIVE && about->from != UNO_SEEN_ANY &&
        uno_seen_is_far(seer.memory, about->from))
        uno_seen_waited_far(call, uno_load64_relaxed(&heard[about->from]), 0, about->from, UNO_LATE_SENDER);
    else if (about->what & UNO_SEEN_RECEIVE && about->from != UNO_SEEN_ANY)
        uno_seen_waited_message(&seer, call, uno_seen_message(about->from, seer.me, comm->id), about->from,
                                about->from_tag);
    if (about->what & UNO_SEEN_SEND && uno_seen_is_far(seer.memory, about->to))
        explain_far_send(call, about->to);
    else if (about->what & UNO_SEEN_SEND && about->to != seer.me)
        uno_seen_waited_room(&seer, call, uno_seen_message(seer.me, about->to, comm->id),
                             uno_seen_message(UNO_SEEN_ANY, about->to, comm->id), about->to, about->tag);
    if (!(about->what & UNO_SEEN_MEET))
        return;
    for (int i = 0; i < comm->peers + comm->others; i++) {
        int member = i < comm->peers ? comm->peer[i] : comm->other[i - comm->peers];
        enum uno_seen_wait wait = member == about->root ? UNO_LATE_ROOT : UNO_LATE_MEMBER;
        if (member == seer.me || member < 0)
            continue;
        if (uno_seen_is_far(seer.memory, member))
            uno_seen_waited_far(call, uno_load64_relaxed(&heard[member]), about->meeting, member, wait);
        else
            uno_seen_waited_member(&seer, call, about->meeting, member, wait);
    }
}

/* The call has completed what it, or a request, was about. */
static void complete(struct uno_seen_passed *m, const struct uno_seen_about *about) {
    if (UNO_UNLIKELY(seer.trace.file >= 0) && about->what & UNO_SEEN_RECEIVE && about->takes &&
        about->from != UNO_SEEN_ANY)
        uno_seen_received(&seer, &m->call, about->from, about->from_tag, about->comm->id, about->asked);
    if (m->is_long && about->what)
        explain(m, about);
}

/* A message has come from there to a receive from any rank. */
static void learn_source(struct uno_seen_about *about, int source, int tag) {
    if (!asks_source(about))
        return;
    int world = uno_seen_world(about->comm, source);
    about->from = world < 0 ? UNO_SEEN_ANY : world;
    about->from_tag = tag;
}

void uno_seen_got(struct uno_seen_passed *m, int source, int tag) {
    learn_source(&m->about, source, tag);
}

void uno_seen_keep(struct uno_seen_passed *m, uint64_t request, bool persistent) {
    if (m->about.what && !uno_seen_below->is_null_request(request))
        uno_seen_request_keep(request, &m->about, persistent);
    else
        uno_seen_forget(request); /* an earlier one of this handle, of which the program has lost sight */
    m->about.what = 0;            /* the call itself waits for nothing */
}

/* Messages are kept among the requests, whose handles differ from each other in other bits. */
static uint64_t message_key(uint64_t message) {
    return message ^ UINT64_C(1) << 62;
}

void uno_seen_matched(struct uno_seen_passed *m, uint64_t message, int source, int tag) {
    if (!m->comm || uno_seen_world(m->comm, source) < 0)
        return;
    struct uno_seen_about about = {.what = UNO_SEEN_RECEIVE,
                                   .comm = m->comm,
                                   .from = uno_seen_world(m->comm, source),
                                   .from_tag = tag,
                                   .takes = true,
                                   .asked = uno_seen_number(&seer)};
    uno_seen_request_keep(message_key(message), &about, false);
}

void uno_seen_take(struct uno_seen_passed *m, uint64_t message, uint64_t request) {
    struct uno_seen_kept *kept = uno_seen_request_of(message_key(message));
    if (request && !kept)
        uno_seen_forget(request);
    if (!kept)
        return;
    struct uno_seen_about about = kept->about;
    if (request)
        uno_seen_request_keep(request, &about, false);
    else
        complete(m, &about);
    uno_seen_forget(message_key(message));
}

void uno_seen_done(struct uno_seen_passed *m, long i, int source, int tag) {
    struct uno_seen_kept *request = uno_seen_request_of(m->handle[i]);
    if (!request)
        return;
    if (m->is_long || seer.trace.file >= 0) {
        struct uno_seen_about about = request->about;
        learn_source(&about, source, tag);
        complete(m, &about);
    }
    if (!request->persistent)
        uno_seen_request_drop(request);
}

void uno_seen_forget(uint64_t handle) {
    struct uno_seen_kept *request = uno_seen_request_of(handle);
    if (request)
        uno_seen_request_drop(request);
}

void uno_seen_made(struct uno_seen_passed *m, uint64_t comm) {
    uno_seen_comm_made(&seer, comm, m->comm);
}

void uno_seen_opened(struct uno_seen_passed *m, uint64_t object, const char *what) {
    if (m->comm)
        uno_seen_comm_opened(&seer, object, m->comm, what);
}

void uno_seen_freed(struct uno_seen_passed *m, uint64_t comm) {
    m->freed = comm;
}

void uno_seen_named(uint64_t comm) {
    struct uno_seen_known *known = uno_seen_comm_of(&seer, comm);
    if (known && known->number)
        uno_seen_below->name(comm, seer.own->comm[known->number].name);
}

void uno_seen_leave(struct uno_seen_passed *m) {
    complete(m, &m->about);
    uno_seen_end(&seer, &m->call, m->bytes);
    if (UNO_UNLIKELY(m->freed))
        uno_seen_comm_freed(m->freed);
    if (m->handles && m->handle != m->few)
        free(m->handle);
    give();
    within = false;
}

/* ---- sizes ------------------------------------------------------------------------------------------- */

enum { TYPES = 64 };
static struct {
    uint64_t type, bytes;
    bool known;
} types[TYPES];

uint64_t uno_seen_bytes(int64_t count, uint64_t type) {
    size_t at = (type ^ type >> 6 ^ type >> 12) % TYPES;
    if (count <= 0)
        return 0;
    if (!types[at].known || types[at].type != type) {
        types[at].bytes = uno_seen_below->type_size(type);
        types[at].type = type;
        types[at].known = true;
    }
    return (uint64_t)count * types[at].bytes;
}

void uno_seen_forget_types(void) {
    memset(types, 0, sizeof types);
}

int uno_seen_peers(const struct uno_seen_passed *m) {
    return m->comm ? m->comm->peers : 0;
}

int uno_seen_members(const struct uno_seen_passed *m) {
    return m->comm && m->comm->other ? m->comm->others : uno_seen_peers(m);
}

/* Between two groups the root says so by MPI_ROOT, and the others of its group, which have no data, by
 * another number below 0. */
bool uno_seen_is_root(const struct uno_seen_passed *m, int root) {
    return m->comm && (m->comm->other ? root == uno_seen_below->root : root == m->comm->rank);
}

bool uno_seen_gives(const struct uno_seen_passed *m, int root) {
    return m->comm && root >= 0;
}

#define _GNU_SOURCE
#include "record.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t mixed(uint64_t a, uint64_t b) {
    uint64_t h = (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
    return h ^ h >> 32;
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* Return where the text is that is written here, once; 0: there is no room, so it is no name. */
static uint32_t text_of(struct uno_seen_rank *own, const char *text) {
    size_t length = strlen(text) + 1;
    for (uint32_t at = 1; at < own->text_used; at += (uint32_t)strlen(own->text + at) + 1)
        if (strcmp(own->text + at, text) == 0)
            return at;
    if (own->text_used + length > sizeof own->text)
        return 0;
    uint32_t at = own->text_used;
    memcpy(own->text + at, text, length);
    own->text_used += (uint32_t)length;
    return at;
}

uint32_t uno_seen_comm(struct uno_seer *seer, uint64_t id, int size, const char *name) {
    struct uno_seen_rank *own = seer->own;
    for (uint32_t i = 1; i < own->comms; i++)
        if (own->comm[i].id == id)
            return i;
    if (own->comms == UNO_SEEN_COMMS)
        return 0;
    struct uno_seen_comm *comm = &own->comm[own->comms];
    comm->id = id;
    comm->size = size;
    snprintf(comm->name, sizeof comm->name, "%s", name);
    return own->comms++;
}

/* ---- sites ------------------------------------------------------------------------------------------- */

/* Write which file's code an address is, and where in the file as its debugging information counts. */
static bool find_file(const void *address, char path[PATH_MAX], uint64_t *within) {
    Dl_info info;
    struct link_map *map;
    if (!dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP))
        return false;
    *within = (uint64_t)((uintptr_t)address - map->l_addr);
    ssize_t length = *map->l_name ? -1 : readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length >= 0)
        path[length] = 0;
    else
        snprintf(path, PATH_MAX, "%s", *map->l_name ? map->l_name : info.dli_fname);
    return true;
}

static UNO_COLD uint32_t new_site(struct uno_seer *seer, const struct uno_seen_key *key, const char *name) {
    struct uno_seen_rank *own = seer->own;
    char path[PATH_MAX], called[PATH_MAX] = "";
    struct uno_seen_site site = {.comm = key->comm};
    if (own->sites == UNO_SEEN_SITES)
        return 0;
    if (seer->place_of && seer->place_of(key->address, called, path, sizeof path))
        site.file = text_of(own, path);
    else if (find_file(key->address, path, &site.address))
        site.file = text_of(own, path);
    if (!seer->function[key->function])
        seer->function[key->function] = text_of(own, name);
    site.function = seer->function[key->function];
    if (*called) { /* a function of a binding, which may call several of the library's */
        snprintf(called + strlen(called), sizeof called - strlen(called), " (%s)", name);
        site.function = text_of(own, called);
    }
    own->table[own->sites] = site;
    return own->sites++;
}

static uint32_t site_of(struct uno_seer *seer, uint32_t function, const char *name, const void *address,
                        uint32_t comm) {
    uint64_t hash = mixed((uintptr_t)address, (uint64_t)function << 32 | comm);
    for (size_t i = hash % UNO_SEEN_PLACES, tries = 0; tries < UNO_SEEN_PLACES;
         i = (i + 1) % UNO_SEEN_PLACES, tries++) {
        struct uno_seen_key *key = &seer->key[i];
        if (UNO_LIKELY(seer->place[i] && key->address == address && key->function == function &&
                       key->comm == comm))
            return seer->place[i] - 1;
        if (seer->place[i])
            continue;
        *key = (struct uno_seen_key){address, function, comm};
        uint32_t site = new_site(seer, key, name);
        if (site)
            seer->place[i] = site + 1;
        return site;
    }
    return 0;
}

/* ---- marks ------------------------------------------------------------------------------------------- */

uint64_t uno_seen_message(int from, int to, uint64_t comm) {
    uint64_t key = mixed(comm, (uint64_t)(uint32_t)from << 32 | (uint32_t)to);
    return key ? key : 1;
}

uint64_t uno_seen_meeting(uint64_t comm, uint64_t number) {
    uint64_t key = mixed(comm, ~number);
    return key ? key : 1;
}

static void set_mark(struct uno_seen_mark *mark, uint64_t key, uint64_t at, uint64_t outside,
                     uint64_t place) {
    uno_store64_relaxed(&mark->key, 0);
    /* SYNC MARK (4): that the mark is being written, and at last all of it */
    uno_store64_release(&mark->at, at);
    uno_store64_release(&mark->outside, outside);
    uno_store64_release(&mark->place, place);
    uno_store64_release(&mark->key, key);
}

/* Set the mark of a call. */
static void mark_call(struct uno_seer *seer, struct uno_seen_mark *mark, const struct uno_seen_call *call,
                      uint64_t key, int tag) {
    set_mark(mark, key, call->began, call->began > seer->left ? call->began - seer->left : 0,
             (uint64_t)(uint32_t)tag << 32 | call->site);
}

/* Read a mark. Return true if it has that key, and was not written meanwhile. */
static bool read_mark(const struct uno_seen_mark *mark, uint64_t key, struct uno_seen_arrival *found) {
    /* SYNC MARK (4): that the mark is being written, and at last all of it */
    if (uno_load64_acquire(&mark->key) != key)
        return false;
    found->at = uno_load64_acquire(&mark->at);
    found->outside = uno_load64_acquire(&mark->outside);
    uint64_t place = uno_load64_acquire(&mark->place);
    found->site = (uint32_t)place;
    found->tag = (int)(place >> 32);
    return uno_load64_relaxed(&mark->key) == key;
}

/* Return the next of the marks to write, and count it. */
static struct uno_seen_mark *next_mark(struct uno_seen_marks *marks) {
    uint64_t count = uno_load64_relaxed(&marks->count);
    uno_store64_relaxed(&marks->count, count + 1);
    return &marks->mark[count % UNO_SEEN_MARKS];
}

static unsigned size_class(uint64_t bytes) {
    unsigned class = bytes ? 64 - (unsigned)__builtin_clzll(bytes) : 0;
    return class < UNO_SEEN_SIZES ? class : UNO_SEEN_SIZES - 1;
}

void uno_seen_sends(struct uno_seer *seer, const struct uno_seen_call *call, uint64_t comm, int to, int tag,
                    uint64_t bytes) {
    struct uno_seen_rank *own = seer->own;
    mark_call(seer, next_mark(&own->sent), call, uno_seen_message(seer->me, to, comm), tag);
    own->messages[size_class(bytes)]++;
    own->to[to].messages++;
    own->to[to].bytes += bytes;
    if (UNO_UNLIKELY(seer->trace.file >= 0))
        uno_seen_event(&seer->trace, (struct uno_seen_event){.what = UNO_SEEN_SENT,
                                                             .site = call->site,
                                                             .began = call->began,
                                                             .key = comm,
                                                             .bytes = bytes,
                                                             .rank = to,
                                                             .tag = tag});
}

uint64_t uno_seen_asks(struct uno_seer *seer, const struct uno_seen_call *call, uint64_t key, int tag) {
    mark_call(seer, next_mark(&seer->own->asked), call, key, tag);
    return uno_seen_number(seer);
}

void uno_seen_received(struct uno_seer *seer, const struct uno_seen_call *call, int from, int tag,
                       uint64_t comm, uint64_t number) {
    uno_seen_event(&seer->trace, (struct uno_seen_event){.what = UNO_SEEN_RECEIVED,
                                                         .site = call->site,
                                                         .ended = call->ended,
                                                         .key = comm,
                                                         .number = number,
                                                         .rank = from,
                                                         .tag = tag});
}

void uno_seen_comes(struct uno_seer *seer, struct uno_seen_call *call, uint64_t key) {
    mark_call(seer, &seer->own->came[key % UNO_SEEN_MARKS], call, key, 0);
    call->meeting = key;
}

/* ---- explanations ------------------------------------------------------------------------------------ */

/* Explain a wait. If there are several reasons, the call has waited for the last one. */
static void explain(struct uno_seen_call *call, enum uno_seen_wait wait, int rank, uint64_t meeting,
                    const struct uno_seen_arrival *arrival) {
    if (arrival->at <= call->began || arrival->at >= call->ended ||
        (call->explained && arrival->at <= call->arrival.at))
        return;
    call->explained = true;
    call->wait = wait;
    call->rank = rank;
    call->awaited = meeting;
    call->arrival = *arrival;
}

/* Find the first mark since the call began with either key, and the tag. They are in the order of time, so
 * the search goes back to that time. */
static bool find_mark(const struct uno_seen_marks *marks, const struct uno_seen_call *call, uint64_t key,
                      uint64_t any, int tag, struct uno_seen_arrival *first) {
    uint64_t count = uno_load64_relaxed(&marks->count);
    bool found = false;
    for (uint64_t i = 0; i < count && i < UNO_SEEN_MARKS; i++) {
        const struct uno_seen_mark *mark = &marks->mark[(count - 1 - i) % UNO_SEEN_MARKS];
        struct uno_seen_arrival now;
        if (uno_load64_relaxed(&mark->at) < call->began)
            break;
        if (!read_mark(mark, key, &now) && !(any && read_mark(mark, any, &now)))
            continue;
        if (now.at < call->ended && (tag == UNO_SEEN_ANY || now.tag == UNO_SEEN_ANY || now.tag == tag)) {
            *first = now;
            found = true;
        }
    }
    return found;
}

void uno_seen_waited_message(struct uno_seer *seer, struct uno_seen_call *call, uint64_t key, int from,
                             int tag) {
    struct uno_seen_arrival arrival;
    if (find_mark(&uno_seen_rank(seer->memory, from)->sent, call, key, 0, tag, &arrival))
        explain(call, UNO_LATE_SENDER, from, 0, &arrival);
}

void uno_seen_waited_room(struct uno_seer *seer, struct uno_seen_call *call, uint64_t key, uint64_t any,
                          int to, int tag) {
    struct uno_seen_arrival arrival;
    if (find_mark(&uno_seen_rank(seer->memory, to)->asked, call, key, any, tag, &arrival))
        explain(call, UNO_LATE_RECEIVER, to, 0, &arrival);
}

void uno_seen_waited_member(struct uno_seer *seer, struct uno_seen_call *call, uint64_t key, int member,
                            enum uno_seen_wait wait) {
    struct uno_seen_arrival arrival;
    const struct uno_seen_rank *other = uno_seen_rank(seer->memory, member);
    if (read_mark(&other->came[key % UNO_SEEN_MARKS], key, &arrival))
        explain(call, wait, member, key, &arrival);
}

void uno_seen_waited_far(struct uno_seen_call *call, uint64_t at, uint64_t key, int rank,
                         enum uno_seen_wait wait) {
    struct uno_seen_arrival arrival = {.at = at, .site = UNO_SEEN_SITES};
    explain(call, wait, rank, key, &arrival);
}

/* ---- calls ------------------------------------------------------------------------------------------- */

void uno_seen_begin(struct uno_seer *seer, struct uno_seen_call *call, uint32_t function, const char *name,
                    const void *address, uint32_t comm) {
    call->site = site_of(seer, function, name, address, comm);
    call->explained = false;
    call->meeting = 0;
    call->began = uno_seen_ticks(seer->memory->ticks);
    uno_store64_relaxed(&seer->own->since, call->began);
    uno_store64_relaxed(&seer->own->site, call->site + 1);
}

/* Return the row of such waits, or that of all for which there is no row of their own. */
static struct uno_seen_blame *blame_of(struct uno_seen_rank *own, const struct uno_seen_blame *key) {
    uint64_t hash = mixed((uint64_t)key->site << 32 | key->other,
                          (uint64_t)key->rank << 16 | (uint64_t)(key->wait << 1 | key->through));
    for (size_t i = 0; i < 64; i++) {
        struct uno_seen_blame *row = &own->blame[1 + (hash + i) % (UNO_SEEN_BLAMES - 1)];
        if (!row->count) {
            *row = *key;
            return row;
        }
        if (row->site == key->site && row->other == key->other && row->rank == key->rank &&
            row->wait == key->wait && row->through == key->through)
            return row;
    }
    return &own->blame[0];
}

enum { WAITED = 1 }; /* the key of all waits */

/* Add a wait of the call for a rank at one of its sites. */
static void add_blame(struct uno_seer *seer, const struct uno_seen_call *call, struct uno_seen_blame key,
                      uint64_t ticks, uint64_t outside) {
    key.site = call->site;
    key.wait = (uint16_t)call->wait;
    struct uno_seen_blame *row = blame_of(seer->own, &key);
    row->count++;
    row->ticks += ticks;
    row->outside += outside < ticks ? outside : ticks;
}

/* Record for whom the call has waited so long. While the rank that came late had itself waited for others,
 * the call has waited for those; but nobody waits for itself, even if it had made that rank late earlier. */
static UNO_COLD void blame(struct uno_seer *seer, const struct uno_seen_call *call, uint64_t ticks) {
    const struct uno_seen_arrival *arrival = &call->arrival;
    const struct uno_seen_marks *waits = &uno_seen_rank(seer->memory, call->rank)->waits;
    struct uno_seen_blame direct = {.rank = (uint32_t)call->rank, .other = arrival->site}, most = direct;
    uint64_t count = uno_load64_relaxed(&waits->count), rest = ticks, longest = 0;
    for (uint64_t i = 0; i < count && i < UNO_SEEN_MARKS && rest; i++) {
        struct uno_seen_arrival wait;
        if (!read_mark(&waits->mark[(count - 1 - i) % UNO_SEEN_MARKS], WAITED, &wait) ||
            wait.at > arrival->at)
            continue; /* of a later time */
        if (wait.at <= call->began)
            break;
        if (wait.tag == seer->me)
            continue;
        uint64_t both = wait.at - call->began < wait.outside ? wait.at - call->began : wait.outside;
        both = both < rest ? both : rest;
        struct uno_seen_blame other = {.through = 1, .rank = (uint32_t)wait.tag, .other = wait.site};
        add_blame(seer, call, other, both, 0);
        rest -= both;
        if (both > longest) {
            longest = both;
            most = other;
        }
    }
    if (rest > ticks / 8) /* less is what calls take between the waits */
        add_blame(seer, call, direct, rest, arrival->outside);
    else
        add_blame(seer, call, most, rest, 0);
    most = rest > longest ? direct : most;
    set_mark(next_mark(&seer->own->waits), WAITED, arrival->at, ticks,
             (uint64_t)most.rank << 32 | most.other);
}

/* Make the moments twice as long, until this one is among them. */
static UNO_COLD void lengthen(struct uno_seen_rank *own, uint64_t time) {
    for (; time >> own->moment >= UNO_SEEN_MOMENTS; own->moment++)
        for (int i = 0; i < UNO_SEEN_MOMENTS; i++) {
            bool kept = i < UNO_SEEN_MOMENTS / 2;
            own->moment_inside[i] = kept ? own->moment_inside[2 * i] + own->moment_inside[2 * i + 1] : 0;
            own->moment_waited[i] = kept ? own->moment_waited[2 * i] + own->moment_waited[2 * i + 1] : 0;
        }
}

/* Add the time from one tick of the run to another to the moments to which it belongs. */
static void add_moments(const struct uno_seen_rank *own, uint64_t *moment, uint64_t from, uint64_t to) {
    uint64_t first = from >> own->moment, last = to >> own->moment;
    for (; UNO_UNLIKELY(first < last); first++) {
        uint64_t end = (first + 1) << own->moment;
        moment[first] += end - from;
        from = end;
    }
    moment[last] += to - from;
}

/* Add the event of a call that has waited so long. */
static void add_event(struct uno_seer *seer, const struct uno_seen_call *call, uint64_t bytes,
                      uint64_t waited) {
    uint64_t earlier = waited && !call->meeting ? call->awaited : 0;
    uno_seen_event(&seer->trace, (struct uno_seen_event){.what = earlier ? UNO_SEEN_WAITED : UNO_SEEN_CALLED,
                                                         .site = call->site,
                                                         .began = call->began,
                                                         .ended = call->ended,
                                                         .key = earlier ? earlier : call->meeting,
                                                         .bytes = bytes,
                                                         .number = waited,
                                                         .rank = waited ? call->rank : -1,
                                                         .tag = waited ? (int)call->wait : 0});
}

void uno_seen_end(struct uno_seer *seer, const struct uno_seen_call *call, uint64_t bytes) {
    struct uno_seen_rank *own = seer->own;
    struct uno_seen_site *site = &own->table[call->site];
    uint64_t ticks = call->ended - call->began, start = uno_load64_relaxed(&own->began);
    uint64_t from = call->began - start, to = call->ended - start;
    if (UNO_UNLIKELY(to >> own->moment >= UNO_SEEN_MOMENTS))
        lengthen(own, to);
    add_moments(own, own->moment_inside, from, to);
    site->calls++;
    site->bytes += bytes;
    site->ticks += ticks;
    if (ticks > site->longest)
        site->longest = ticks;
    own->calls++;
    own->inside += ticks;
    uint64_t waited = call->explained ? call->arrival.at - call->began : 0;
    if (UNO_UNLIKELY(seer->trace.file >= 0))
        add_event(seer, call, bytes, waited);
    if (UNO_UNLIKELY(waited)) {
        site->waited[call->wait] += waited;
        own->waited += waited;
        add_moments(own, own->moment_waited, from, from + waited);
        blame(seer, call, waited);
    }
    uno_store64_relaxed(&own->site, 0);
    uno_store64_relaxed(&own->since, call->ended);
    seer->left = call->explained ? call->ended : seer->left + ticks;
}

/* ---- the run ----------------------------------------------------------------------------------------- */

int uno_seer_begin(struct uno_seer *seer, struct uno_seen_memory *memory, int me, int n, uint32_t functions) {
    enum { MOMENT = 20 }; /* at first less than a millisecond */
    if (uno_seen_ranks(memory) != n)
        return -EINVAL;
    if (uno_load64_relaxed(&uno_seen_rank(memory, me)->began))
        return -EBUSY;
    seer->function = calloc(functions, sizeof *seer->function);
    if (!seer->function)
        return -ENOMEM;
    seer->functions = functions;
    seer->memory = memory;
    seer->me = me;
    seer->n = n;
    struct uno_seen_rank *own = seer->own = uno_seen_rank(memory, me);
    own->comms = own->sites = own->text_used = 1;
    uno_seen_trace_begin(&seer->trace, memory, me);
    own->moment = MOMENT;
    seer->left = uno_seen_ticks(memory->ticks);
    uno_store64_relaxed(&own->pid, (uint64_t)getpid());
    uno_store64_relaxed(&own->since, seer->left);
    uno_store64_relaxed(&own->began, seer->left);
    return 0;
}

void uno_seer_end(struct uno_seer *seer) {
    uno_seen_trace_end(&seer->trace);
    uno_store64_relaxed(&seer->own->ended, uno_seen_ticks(seer->memory->ticks));
    seer->own = NULL;
    free(seer->function);
    seer->function = NULL;
}

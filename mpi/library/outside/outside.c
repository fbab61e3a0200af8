/* A rank as it is seen from outside: the launcher, and unisono ps, read the rank's objects from the memory of
 * its process. They link this file alone of the library.
 *
 * The rank goes on meanwhile. So nothing that was read is believed to be whole: a pointer may lead anywhere,
 * and is only ever read by the kernel; numbers are held to their bounds; and a request counts only if it is
 * the same after everything that belongs to it has been read. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/process.h"
#include "launch/requests.h"
#include "library/outside/layout.h"

/* More objects, or ranks of a group, are not believed. */
enum { MOST_OBJECTS = 1 << 22 };

struct reader {
    pid_t process;
    struct uno_pending_rank *seen;
    struct uno_rank rank;
    const struct uno_object **object; /* the addresses of the rank's objects */
    const struct uno_object **comm;   /* those of seen->comm, */
    struct uno_mpi_comm *read;        /* what was read there, */
    int **peer;                       /* and the PEs that messages in each go to */
    int *peers;
};

static bool get(const struct reader *r, const void *at, void *to, size_t bytes) {
    return uno_process_read(r->process, (uintptr_t)at, to, bytes);
}

/* Read a part of a structure from so many bytes on. */
static bool get_part(const struct reader *r, const void *of, size_t offset, void *to, size_t bytes) {
    return uno_process_read(r->process, (uintptr_t)of + offset, to, bytes);
}

/* Return a truth value that was read, which may be any number. */
static bool flag(const bool *read) {
    unsigned char byte;
    memcpy(&byte, read, sizeof byte);
    return byte;
}

/* Copy text of the rank's, of which a terminal and JSON can take every character. */
static void copy_text(char *to, size_t bytes, const char *from) {
    size_t i = 0;
    for (; i + 1 < bytes && from[i]; i++)
        to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
    to[i] = 0;
}

/* ---- communicators ----------------------------------------------------------------------------------- */

/* Add the members of a group to the mask. Returns the PEs of its ranks; NULL: it cannot be read. */
static int *read_group(const struct reader *r, const struct uno_mpi_group *at, uint64_t *mask, int *size) {
    struct uno_mpi_group group;
    if (!get(r, at, &group, sizeof group) || group.size < 0 || group.size > UNO_MAX_PES)
        return NULL;
    int *pe = calloc((size_t)group.size + 1, sizeof *pe);
    if (pe && !get(r, group.pe, pe, (size_t)group.size * sizeof *pe)) {
        free(pe);
        return NULL;
    }
    for (int i = 0; pe && i < group.size; i++) {
        pe[i] = pe[i] >= 0 && pe[i] < UNO_MAX_PES ? pe[i] : 0;
        mask[pe[i] / 64] |= (uint64_t)1 << pe[i] % 64;
    }
    *size = group.size;
    return pe;
}

static void name_comm(struct uno_pending_comm *seen, struct uno_mpi_comm *comm) {
    char name[sizeof comm->name], made[sizeof comm->made];
    comm->name[sizeof comm->name - 1] = comm->made[sizeof comm->made - 1] = 0;
    copy_text(name, sizeof name, comm->name);
    copy_text(made, sizeof made, comm->made);
    if (*name)
        snprintf(seen->name, sizeof seen->name, "%s", name);
    else if (*made)
        snprintf(seen->name, sizeof seen->name, "communicator %d (%s)", comm->id, made);
    else
        snprintf(seen->name, sizeof seen->name, "communicator %d", comm->id);
}

static void read_comm(struct reader *r, const struct uno_object *at) {
    size_t i = r->seen->comms;
    struct uno_mpi_comm *comm = &r->read[i];
    if (!get(r, at, comm, sizeof *comm) || comm->object.kind != UNO_COMM)
        return;
    struct uno_pending_comm *seen = &r->seen->comm[i];
    *seen = (struct uno_pending_comm){.id = comm->id, .calls = {comm->schedules[0], comm->schedules[1]}};
    name_comm(seen, comm);
    r->peer[i] = read_group(r, comm->group, seen->member, &r->peers[i]);
    if (comm->remote) {
        free(r->peer[i]);
        r->peer[i] = read_group(r, comm->remote, seen->member, &r->peers[i]);
    }
    r->comm[i] = at;
    r->seen->comms++;
}

static int find_comm(const struct reader *r, const void *at) {
    for (size_t i = 0; i < r->seen->comms; i++)
        if (r->comm[i] == at)
            return (int)i;
    return -1;
}

/* Return true if a communicator that was read is there still: it was not just being made, and none was made
 * since in the memory of a freed one. */
static bool is_there(const struct reader *r, int i) {
    const struct uno_mpi_comm *read = &r->read[i];
    struct uno_mpi_comm now;
    return get(r, r->comm[i], &now, sizeof now) && now.object.kind == UNO_COMM && now.id == read->id &&
           now.group == read->group && now.remote == read->remote;
}

/* Note the communicator, and a rank of it or UNO_WILD, of which the program has asked. False: it is another
 * communicator than those that were read, so this has changed meanwhile. */
static bool set_peer(const struct reader *r, struct uno_pending *seen, const void *comm, int rank, int tag) {
    int i = find_comm(r, comm);
    bool any = rank == MPI_ANY_SOURCE;
    seen->rank = seen->peer = UNO_WILD;
    seen->tag = tag == MPI_ANY_TAG ? UNO_WILD : tag;
    if (i < 0 || !is_there(r, i))
        return false;
    seen->comm = &r->seen->comm[i];
    if (!any && r->peer[i] && rank >= 0 && rank < r->peers[i]) {
        seen->rank = rank;
        seen->peer = r->peer[i][rank];
    }
    return true;
}

/* ---- requests ---------------------------------------------------------------------------------------- */

/* Return the bytes of so many elements of a type of the rank's. */
static uint64_t bytes_of(const struct reader *r, MPI_Count count, const struct uno_mpi_type *type) {
    size_t size = 0;
    if (!type || !get_part(r, type, offsetof(struct uno_mpi_type, layout.size), &size, sizeof size))
        return 0;
    return (uint64_t)count * size;
}

static bool read_collective(const struct reader *r, const struct uno_mpi_request *request,
                            struct uno_pending *seen) {
    struct uno_schedule s;
    if (!get(r, request->kept, &s, sizeof s) || (unsigned)s.of >= UNO_SCHEDULES ||
        (unsigned)s.form >= UNO_FORMS)
        return false;
    seen->kind = UNO_PENDING_COLLECTIVE;
    uno_schedule_name(s.of, s.form, seen->name);
    seen->again = s.form == UNO_MADE;
    seen->number = (uint32_t)s.tag & ((UINT32_C(1) << 30) - 1);
    seen->bytes = bytes_of(r, s.told.count, s.told.type);
    return set_peer(r, seen, s.comm, MPI_ANY_SOURCE, MPI_ANY_TAG);
}

static bool read_other(const struct reader *r, const struct uno_mpi_request *request,
                       struct uno_pending *seen) {
    struct uno_request_kind kind;
    if (!get(r, request->kind, &kind, sizeof kind))
        return false;
    if (flag(&kind.stays))
        return read_collective(r, request, seen);
    seen->kind = UNO_PENDING_OTHER;
    seen->peer = seen->rank = seen->tag = UNO_WILD;
    return true;
}

static bool read_message(const struct reader *r, const struct uno_mpi_request *request,
                         struct uno_pending *seen) {
    bool receives = request->what == UNO_RECEIVES;
    seen->kind = receives                    ? UNO_PENDING_RECEIVE
                 : request->what == UNO_ASKS ? UNO_PENDING_ASKING
                                             : UNO_PENDING_SEND;
    seen->bytes = bytes_of(r, request->count, request->type);
    seen->matched = receives && !flag(&request->receive.posted);
    return set_peer(r, seen, request->comm, request->peer, request->tag);
}

/* Read a request. False: it is none that is pending, or it has changed meanwhile. */
static bool read_request(const struct reader *r, const struct uno_object *at, struct uno_pending *seen) {
    struct uno_mpi_request request, again;
    if (!get(r, at, &request, sizeof request) || request.object.kind != UNO_REQUEST ||
        !flag(&request.active) || flag(&request.receive.done))
        return false;
    *seen = (struct uno_pending){.from = (uintptr_t)request.called.from, .python = request.called.python};
    if (!(request.what == UNO_OTHER ? read_other : read_message)(r, &request, seen))
        return false;
    return get(r, at, &again, sizeof again) && memcmp(&again, &request, sizeof request) == 0;
}

static void read_looked(const struct reader *r, const struct uno_looked *looked) {
    struct uno_pending *seen = &r->seen->request[r->seen->requests];
    *seen = (struct uno_pending){.kind = UNO_PENDING_PROBE,
                                 .from = (uintptr_t)looked->called.from,
                                 .python = looked->called.python,
                                 .times = looked->times};
    if (looked->times && set_peer(r, seen, looked->comm, looked->source, looked->tag))
        r->seen->requests++;
}

/* ---- all of them ------------------------------------------------------------------------------------- */

/* Return how many objects are of a kind. */
static size_t count(const struct reader *r, const enum uno_object_kind *kinds, enum uno_object_kind kind) {
    size_t found = 0;
    for (int i = 0; i < r->rank.store.objects; i++)
        found += kinds[i] == kind;
    return found;
}

/* Read the kinds of all objects; those that cannot be read count as freed. */
static void read_kinds(const struct reader *r, enum uno_object_kind *kinds) {
    for (int i = 0; i < r->rank.store.objects; i++)
        if (!r->object[i] ||
            !get_part(r, r->object[i], offsetof(struct uno_object, kind), &kinds[i], sizeof *kinds))
            kinds[i] = UNO_FREED;
}

static void read_objects(struct reader *r, const enum uno_object_kind *kinds) {
    struct uno_pending_rank *seen = r->seen;
    int n = r->rank.store.objects;
    for (int i = 0; i < n; i++)
        if (kinds[i] == UNO_COMM)
            read_comm(r, r->object[i]);
    for (int i = 0; i < n; i++)
        if (kinds[i] == UNO_REQUEST)
            seen->requests += read_request(r, r->object[i], &seen->request[seen->requests]);
    for (int i = 0; i < UNO_LOOKED_KEPT; i++)
        read_looked(r, &r->rank.looked[i]);
    for (size_t i = 0; i < seen->comms; i++)
        free(r->peer[i]);
}

/* Return true if there was memory. */
static bool read_store(struct reader *r) {
    size_t n = (size_t)r->rank.store.objects;
    enum uno_object_kind *kinds = calloc(n + 1, sizeof *kinds);
    r->object = calloc(n + 1, sizeof *r->object);
    bool good = kinds && r->object && get(r, r->rank.store.object, r->object, n * sizeof *r->object);
    if (good) {
        read_kinds(r, kinds);
        size_t comms = count(r, kinds, UNO_COMM), requests = count(r, kinds, UNO_REQUEST);
        r->seen->comm = calloc(comms + 1, sizeof *r->seen->comm);
        r->seen->request = calloc(requests + UNO_LOOKED_KEPT, sizeof *r->seen->request);
        r->comm = calloc(comms + 1, sizeof *r->comm);
        r->read = calloc(comms + 1, sizeof *r->read);
        r->peer = calloc(comms + 1, sizeof *r->peer);
        r->peers = calloc(comms + 1, sizeof *r->peers);
        good = r->seen->comm && r->seen->request && r->comm && r->read && r->peer && r->peers;
    }
    if (good)
        read_objects(r, kinds);
    free(r->peers);
    free(r->peer);
    free(r->read);
    free(r->comm);
    free(r->object);
    free(kinds);
    return good;
}

static bool read_rank(pid_t process, uint64_t at, struct uno_pending_rank *seen) {
    struct reader r = {.process = process, .seen = seen};
    uint64_t layout;
    errno = 0;
    if (!uno_process_read(process, at, &layout, sizeof layout))
        return false;
    if (layout != uno_outside_layout() || !uno_process_read(process, at, &r.rank, sizeof r.rank) ||
        r.rank.store.objects < 0 || r.rank.store.objects > MOST_OBJECTS) {
        errno = errno ? errno : EPROTO;
        return false;
    }
    seen->ends = flag(&r.rank.ends);
    return read_store(&r);
}
UNO_PENDING_REGISTER(read_rank);

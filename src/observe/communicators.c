#include "communicators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "below.h"

enum { BUCKETS = 64, BASES = 1024 };

static struct uno_seen_known *bucket[BUCKETS], *latest;

/* How often communicators of the same members were made from the same one: all members count alike. */
static struct { uint64_t base, count; } bases[BASES];

static struct uno_seen_known **place_of(uint64_t handle) {
    return &bucket[(handle ^ handle >> 6 ^ handle >> 12) % BUCKETS];
}

static uint64_t mixed(uint64_t a, uint64_t b) {
    uint64_t h = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static uint64_t hash_of(const int *rank, int count) {
    uint64_t h = (uint64_t)count;
    for (int i = 0; i < count; i++)
        h = mixed(h + 1, (uint64_t)rank[i]);
    return h;
}

/* Return the id of a communicator: of the one that it was made from, its members, and how often that was
 * done. Between two groups it is the same whichever is the own one. */
static uint64_t id_of(const struct uno_seen_known *comm, const struct uno_seen_known *from) {
    uint64_t peers = hash_of(comm->peer, comm->peers);
    uint64_t base =
        comm->other ? peers + hash_of(comm->other, comm->others) : mixed(from ? from->id : 1, peers);
    for (size_t i = 0; i < BASES; i++) {
        size_t at = (base + i) % BASES;
        if (bases[at].base && bases[at].base != base)
            continue;
        bases[at].base = base;
        return mixed(base, bases[at].count++) | 1;
    }
    return base | 1;
}

static struct uno_seen_known *add(struct uno_seer *seer, uint64_t handle, struct uno_seen_known *comm,
                                  const struct uno_seen_known *from, const char *name) {
    comm->handle = handle;
    comm->uses = 1;
    comm->id = id_of(comm, from);
    comm->number = uno_seen_comm(seer, comm->id, comm->peers + comm->others, name);
    comm->next = *place_of(handle);
    *place_of(handle) = comm;
    return comm;
}

struct uno_seen_known *uno_seen_comm_made(struct uno_seer *seer, uint64_t handle,
                                          const struct uno_seen_known *from) {
    char name[UNO_SEEN_NAME] = "";
    struct uno_seen_known *comm = uno_seen_below->is_null_comm(handle) ? NULL : calloc(1, sizeof *comm);
    if (!comm)
        return NULL;
    if (!uno_seen_below->members(handle, &comm->peers, &comm->peer, &comm->others, &comm->other)) {
        free(comm->peer);
        free(comm->other);
        free(comm);
        return NULL;
    }
    comm->rank = -1;
    for (int i = 0; !comm->other && i < comm->peers; i++)
        if (comm->peer[i] == seer->me)
            comm->rank = i;
    uno_seen_below->name(handle, name);
    return add(seer, handle, comm, from, name);
}

void uno_seen_comm_opened(struct uno_seer *seer, uint64_t handle, const struct uno_seen_known *from,
                          const char *what) {
    char name[UNO_SEEN_NAME + 16];
    size_t bytes = (size_t)from->peers * sizeof *from->peer;
    struct uno_seen_known *comm = calloc(1, sizeof *comm);
    int *peer = malloc(bytes + 1);
    if (!comm || !peer) {
        free(comm);
        free(peer);
        return;
    }
    memcpy(peer, from->peer, bytes);
    comm->peer = peer, comm->peers = from->peers, comm->rank = from->rank;
    snprintf(name, sizeof name, "%s of %s", what, seer->own->comm[from->number].name);
    add(seer, handle, comm, from, name);
}

static bool is_object(uint64_t handle) {
    return (handle >> 62 & 1) != handle >> 63;
}

struct uno_seen_known *uno_seen_comm_of(struct uno_seer *seer, uint64_t handle) {
    if (UNO_LIKELY(latest && latest->handle == handle))
        return latest;
    struct uno_seen_known *comm = *place_of(handle);
    while (comm && comm->handle != handle)
        comm = comm->next;
    if (!comm && !is_object(handle))
        comm = uno_seen_comm_made(seer, handle, NULL);
    if (comm)
        latest = comm;
    return comm;
}

void uno_seen_comm_use(struct uno_seen_known *comm) {
    comm->uses++;
}

void uno_seen_comm_leave(struct uno_seen_known *comm) {
    if (--comm->uses)
        return;
    free(comm->peer);
    free(comm->other);
    free(comm);
}

void uno_seen_comm_freed(uint64_t handle) {
    struct uno_seen_known **at = place_of(handle), *comm;
    while ((comm = *at) && comm->handle != handle)
        at = &comm->next;
    if (!comm)
        return;
    *at = comm->next;
    latest = NULL;
    uno_seen_comm_leave(comm);
}

void uno_seen_comm_end(void) {
    for (int i = 0; i < BUCKETS; i++)
        for (struct uno_seen_known *comm; (comm = bucket[i]);) {
            bucket[i] = comm->next;
            uno_seen_comm_leave(comm);
        }
    latest = NULL;
}

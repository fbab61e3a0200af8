#include "communicators.h"

#include <stdlib.h>

#include "abi.h"

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

struct uno_seen_known *uno_seen_comm_made(struct uno_seer *seer, uint64_t handle,
                                          const struct uno_seen_known *from) {
    char name[UNO_SEEN_NAME] = "";
    struct uno_seen_known *comm = uno_seen_abi.is_null_comm(handle) ? NULL : calloc(1, sizeof *comm);
    if (!comm)
        return NULL;
    if (!uno_seen_abi.members(handle, &comm->peers, &comm->peer, &comm->others, &comm->other)) {
        free(comm);
        return NULL;
    }
    comm->handle = handle;
    comm->uses = 1;
    comm->rank = -1;
    for (int i = 0; !comm->other && i < comm->peers; i++)
        if (comm->peer[i] == seer->me)
            comm->rank = i;
    comm->id = id_of(comm, from);
    uno_seen_abi.name(handle, name);
    comm->number = uno_seen_comm(seer, comm->id, comm->peers + comm->others, name);
    comm->next = *place_of(handle);
    *place_of(handle) = comm;
    return comm;
}

struct uno_seen_known *uno_seen_comm_of(struct uno_seer *seer, uint64_t handle) {
    if (UNO_LIKELY(latest && latest->handle == handle))
        return latest;
    struct uno_seen_known *comm = *place_of(handle);
    while (comm && comm->handle != handle)
        comm = comm->next;
    if (!comm)
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

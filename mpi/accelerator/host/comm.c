#include "accelerator/host/comm.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "accelerator/host/between.h"
#include "accelerator/host/node.h"
#include "collective/base.h"
#include "collective/transport/plan.h"

/* The communicators of this process. */
uno_atomic64 uno_comm_slot[UNO_HANDLES];
static int keyval;
static struct uno_host_comm *unused; /* freed structures */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The entry of every communicator whose operations are the host's. */
static struct uno_comm of_host;

/* ---- structures, which are never given back ---------------------------------------------------------- */

static struct uno_host_comm *allocate(void) {
    pthread_mutex_lock(&lock);
    struct uno_host_comm *c = unused;
    if (c)
        unused = c->next;
    pthread_mutex_unlock(&lock);
    return c ? c : uno_base_allocate(1, sizeof *c);
}

/* Remove a structure from the table, so that its handle no longer finds it. */
static void forget(struct uno_host_comm *c) {
    uno_atomic64 *slot = &uno_comm_slot[uno_handle_hash(uno_load64_relaxed(&c->handle))];
    if (uno_load64_relaxed(slot) == UNO_HANDLE(c))
        uno_store64_relaxed(slot, 0);
    uno_store64_relaxed(&c->handle, 0);
}

static void release(struct uno_host_comm *c) {
    forget(c);
    if (c->comm.nodes)
        uno_nodes_free(c->comm.nodes);
    uno_comm_disconnect(&c->comm);
    c->revoked = false;
    pthread_mutex_lock(&lock);
    c->next = unused;
    unused = c;
    pthread_mutex_unlock(&lock);
}

/* ---- the attribute ----------------------------------------------------------------------------------- */

/* A copy of a communicator is a new one, without this attribute. */
static int on_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    (void)comm, (void)key, (void)extra, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm, (void)key, (void)extra;
    release(value);
    return MPI_SUCCESS;
}

void uno_comm_start(void) {
    HOST(Comm_create_keyval)(on_copy, on_delete, &keyval, NULL);
}

void uno_comm_end(void) {
    for (int i = 0; i < UNO_HANDLES; i++)
        uno_store64_relaxed(&uno_comm_slot[i], 0);
    HOST(Comm_free_keyval)(&keyval);
}

/* ---- first use --------------------------------------------------------------------------------------- */

static struct uno_host_comm *host_comm_of(struct uno_comm *c) {
    return (struct uno_host_comm *)(void *)((char *)c - offsetof(struct uno_host_comm, comm));
}

/* Make the two communicators of the operations of several nodes: the `connect` function of struct
 * uno_nodes. */
static void connect(struct uno_comm *comm) {
    struct uno_host_comm *c = host_comm_of(comm);
    struct uno_nodes *n = comm->nodes;
    HOST(Comm_split)(c->own, n->mine, comm->rank, &c->inside);
    HOST(Comm_split)(c->own, n->place[comm->rank] ? MPI_UNDEFINED : 0, comm->rank, &c->leaders);
    n->inside = uno_comm_of(c->inside);
    n->here = &c->inside;
    n->leaders = c->leaders == MPI_COMM_NULL ? NULL : &c->leaders;
}

static void disconnect(struct uno_nodes *n) {
    MPI_Comm inside = *(const MPI_Comm *)n->here;
    if (!uno_node.on) /* when the program ends the host frees its communicators itself */
        return;
    HOST(Comm_free)(&inside);
    if (n->leaders) {
        MPI_Comm leaders = *(const MPI_Comm *)n->leaders;
        HOST(Comm_free)(&leaders);
    }
}

/* Find each rank's number in MPI_COMM_WORLD, or MPI_UNDEFINED. */
static void find_world_ranks(MPI_Comm comm, int size, int *world_rank) {
    int *rank = uno_base_allocate((size_t)size, sizeof *rank);
    MPI_Group group;
    for (int r = 0; r < size; r++)
        rank[r] = r;
    HOST(Comm_group)(comm, &group);
    HOST(Group_translate_ranks)(group, size, rank, uno_node.world, world_rank);
    HOST(Group_free)(&group);
    free(rank);
}

/* Replace each rank's number in MPI_COMM_WORLD by its value in `of`. False: one is -1. */
static bool replace(int size, int *world_rank, const int *of) {
    bool all = true;
    for (int r = 0; r < size; r++) {
        world_rank[r] = world_rank[r] == MPI_UNDEFINED ? -1 : of[world_rank[r]];
        all &= world_rank[r] >= 0;
    }
    return all;
}

/* Find a lane for the communicator, on all of its ranks; NULL: none is left. */
static struct uno_lane *find_lane(MPI_Comm comm, const struct uno_comm *c) {
    int i = c->rank == 0 ? uno_lane_choose(c->size) : 0;
    if (uno_node.threads)
        HOST(Bcast)(&i, 1, MPI_INT, 0, comm);
    return i < 0 ? NULL : uno_lane_get(i);
}

/* Fill in the structure. A communicator with neither a lane nor nodes is left to the host. */
static void examine(MPI_Comm comm, struct uno_comm *c) {
    int between;
    HOST(Comm_test_inter)(comm, &between);
    HOST(Comm_size)(comm, &c->size);
    HOST(Comm_rank)(comm, &c->rank);
    if (between || c->size == 1)
        return;
    int *pe = uno_base_allocate((size_t)c->size, sizeof *pe);
    struct uno_lane *lane = NULL;
    find_world_ranks(comm, c->size, pe);
    if (replace(c->size, pe, uno_node.pe_of)) {
        lane = find_lane(comm, c);
    } else {
        find_world_ranks(comm, c->size, pe);
        replace(c->size, pe, uno_node.head_of);
        c->nodes = uno_nodes_make(c->size, c->rank, pe, &uno_between_host);
    }
    if (c->nodes) {
        c->nodes->connect = connect;
        c->nodes->disconnect = disconnect;
    }
    if (!lane) {
        free(pe);
        return;
    }
    uno_comm_connect(c, lane, pe);
    uno_plan_open(c, uno_node.crowded);
}

static void set(MPI_Comm comm, struct uno_host_comm *c) {
    if (HOST(Comm_set_attr)(comm, keyval, c) != MPI_SUCCESS)
        uno_base_fail("the MPI library refuses an attribute of a communicator");
}

void uno_comm_revoke(MPI_Comm comm) {
    struct uno_host_comm *c = NULL;
    int found = 0;
    if (!uno_node.on || HOST(Comm_get_attr)(comm, keyval, &c, &found) != MPI_SUCCESS)
        return;
    if (!found) {
        c = allocate();
        set(comm, c);
    }
    c->revoked = true;
    forget(c);
}

struct uno_comm *uno_comm_look_up(MPI_Comm comm) {
    struct uno_host_comm *c = NULL;
    int found = 0;
    if (!uno_node.on || comm == MPI_COMM_NULL || HOST(Comm_get_attr)(comm, keyval, &c, &found) != MPI_SUCCESS)
        return &of_host;
    if (!found) {
        c = allocate();
        c->own = comm;
        examine(comm, &c->comm);
        uno_store64_relaxed(&c->handle, UNO_HANDLE(comm));
        set(comm, c);
    }
    if (c->revoked)
        return &of_host;
    /* SYNC COMM: the rest of the structure */
    uno_store64_release(&uno_comm_slot[uno_handle_hash(UNO_HANDLE(comm))], UNO_HANDLE(c));
    return &c->comm;
}

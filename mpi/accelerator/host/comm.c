#include "accelerator/host/comm.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/group.h"
#include "accelerator/host/progress.h"

/* Of the process. */
uno_atomic64 uno_comm_slot[UNO_COMM_SLOTS];
static int keyval;
static struct uno_comm *unused; /* those of freed communicators */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What is told of every communicator that is the host's. */
static const struct uno_comm of_host;

/* ---- structures, which are never given back --------------------------------------------------------------
 */

static struct uno_comm *allocate(void) {
    pthread_mutex_lock(&lock);
    struct uno_comm *c = unused;
    if (c)
        unused = c->next;
    pthread_mutex_unlock(&lock);
    return c ? c : uno_node_allocate(1, sizeof *c);
}

/* Whoever looks for it by its handle does not find it in the table any more. */
static void forget(struct uno_comm *c) {
    uno_atomic64 *slot = &uno_comm_slot[uno_handle_hash(uno_load64_relaxed(&c->handle))];
    if (uno_load64_relaxed(slot) == UNO_HANDLE(c))
        uno_store64_relaxed(slot, 0);
    uno_store64_relaxed(&c->handle, 0);
}

static void release(struct uno_comm *c) {
    forget(c);
    if (c->lane) {
        if (c->lane->present == c)
            c->lane->present = NULL;
        uno_lane_give_back(c->lane);
        c->lane = NULL;
    }
    if (c->nodes)
        uno_nodes_free(c->nodes);
    c->nodes = NULL;
    c->revoked = false;
    memset(c->band, 0, sizeof c->band);
    free(c->pe);
    free(c->place);
    free(c->data);
    free(c->past);
    c->pe = c->place = NULL;
    c->data = NULL;
    c->past = NULL;
    pthread_mutex_lock(&lock);
    c->next = unused;
    unused = c;
    pthread_mutex_unlock(&lock);
}

/* ---- the attribute ---------------------------------------------------------------------------------------
 */

/* A copy of a communicator is another one. */
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
    for (int i = 0; i < UNO_COMM_SLOTS; i++)
        uno_store64_relaxed(&uno_comm_slot[i], 0);
    HOST(Comm_free_keyval)(&keyval);
}

/* ---- first use -------------------------------------------------------------------------------------------
 */

/* Each rank's number in MPI_COMM_WORLD, or MPI_UNDEFINED. */
static void find_world_ranks(MPI_Comm comm, int size, int *world_rank) {
    int *rank = uno_node_allocate((size_t)size, sizeof *rank);
    MPI_Group group;
    for (int r = 0; r < size; r++)
        rank[r] = r;
    HOST(Comm_group)(comm, &group);
    HOST(Group_translate_ranks)(group, size, rank, uno_node.world, world_rank);
    HOST(Group_free)(&group);
    free(rank);
}

/* Each rank's number in the node. False: one of them is not on it. */
static bool find_pes(int size, const int *world_rank, int *pe) {
    for (int r = 0; r < size; r++) {
        pe[r] = world_rank[r] == MPI_UNDEFINED ? -1 : uno_node.pe_of[world_rank[r]];
        if (pe[r] < 0)
            return false;
    }
    return true;
}

/* The group of the PEs, and where its members stand in the communicator. */
static void set_group(struct uno_comm *c) {
    uint64_t mask[UNO_WORDS] = {0};
    bool in_order = true;
    for (int r = 0; r < c->size; r++) {
        mask[c->pe[r] / 64] |= (uint64_t)1 << (c->pe[r] % 64);
        in_order &= r == 0 || c->pe[r - 1] < c->pe[r];
    }
    uno_group_of(mask, (uno_node.size + 63) / 64, uno_node.rank, &c->group);
    c->data = uno_node_allocate((size_t)c->size, sizeof *c->data);
    if (in_order)
        return;
    c->place = uno_node_allocate((size_t)c->size, sizeof *c->place);
    for (int r = 0; r < c->size; r++)
        c->place[r] = uno_group_rank(&c->group, c->pe[r]);
}

/* Fill in what is to be known of the communicator; it stays the host's if it has no lane. */
static void examine(MPI_Comm comm, struct uno_comm *c) {
    int between;
    HOST(Comm_test_inter)(comm, &between);
    HOST(Comm_size)(comm, &c->size);
    HOST(Comm_rank)(comm, &c->rank);
    if (between || c->size == 1)
        return;
    int *world_rank = uno_node_allocate((size_t)c->size, sizeof *world_rank);
    find_world_ranks(comm, c->size, world_rank);
    c->pe = uno_node_allocate((size_t)c->size, sizeof *c->pe);
    bool here = find_pes(c->size, world_rank, c->pe);
    if (!here)
        c->nodes = uno_nodes_make(c->size, c->rank, world_rank);
    free(world_rank);
    if (!here || !(c->lane = uno_lane_take(comm, c->size, c->rank)))
        return;
    set_group(c);
    c->past = uno_node_allocate(1, sizeof *c->past);
    uno_decide(c->size, uno_node.crowded, c->lane->stream != NULL, c->band);
}

static void set(MPI_Comm comm, struct uno_comm *c) {
    if (HOST(Comm_set_attr)(comm, keyval, c) != MPI_SUCCESS)
        uno_node_fail("the MPI library refuses an attribute of a communicator");
}

void uno_comm_revoke(MPI_Comm comm) {
    struct uno_comm *c = NULL;
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

const struct uno_comm *uno_comm_look_up(MPI_Comm comm) {
    struct uno_comm *c = NULL;
    int found = 0;
    if (!uno_node.on || comm == MPI_COMM_NULL || HOST(Comm_get_attr)(comm, keyval, &c, &found) != MPI_SUCCESS)
        return &of_host;
    if (!found) {
        c = allocate();
        examine(comm, c);
        uno_store64_relaxed(&c->handle, UNO_HANDLE(comm));
        set(comm, c);
    }
    if (c->revoked)
        return &of_host;
    /* SYNC COMM: the rest of the structure */
    uno_store64_release(&uno_comm_slot[uno_handle_hash(UNO_HANDLE(comm))], UNO_HANDLE(c));
    return c;
}

/* ---- operations ------------------------------------------------------------------------------------------
 */

void uno_comm_enter(const struct uno_comm *c) {
    uno_group_adopt(c->lane->pe, &c->group);
    c->lane->present = c;
}

void uno_comm_let_host_work(void) {
    uno_progress_poll();
}

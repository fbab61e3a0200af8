#include "library/derived/agree.h"

#include <string.h>

#include "collective/operation/collective.h"
#include "library/message/messages.h"
#include "library/rank/ops.h"

/* ---- numbers -----------------------------------------------------------------------------------------
 *
 * Ranks cannot agree on a number by what each of them knows (uno_comm_agree) while others may be agreeing,
 * too: in copies beside the program, and where ranks have threads. Then one of them chooses a number of its
 * own, and tells the others. So they do on several nodes, where it is one word and not a bit for each
 * number. */

/* Return the first number from `from` on, of those from `base` on, that no communicator of this rank has. */
static int unheld(int base, int from) {
    const struct uno_store *store = &uno_rank->store;
    uint64_t held[UNO_CHOICES / 64] = {0};
    for (int i = 0; i < store->objects; i++) {
        const struct uno_object *o = store->object[i];
        int k = o && o->kind == UNO_COMM ? ((const struct uno_mpi_comm *)o)->id - base : -1;
        if (k >= 0 && k < UNO_CHOICES)
            held[k / 64] |= UINT64_C(1) << k % 64;
    }
    for (int i = 0; i < UNO_CHOICES; i++) {
        int k = (from + i) % UNO_CHOICES;
        if (!(held[k / 64] >> k % 64 & 1))
            return base + k;
    }
    return UNO_ID_NONE;
}

int uno_comm_id_choose(void) {
    struct uno_rank *rank = uno_rank;
    int base = UNO_ID_CHOSEN + rank->pe->me * UNO_CHOICES;
    if (rank->chosen < UNO_CHOICES) /* the first time round none is held */
        return base + rank->chosen++;
    int id = unheld(base, rank->chosen % UNO_CHOICES);
    if (id >= 0)
        rank->chosen = UNO_CHOICES + (id - base + 1) % UNO_CHOICES;
    return id;
}

int uno_makers_agree(const struct uno_makers *makers) {
    if (!uno_rank->scheduled && !makers->all->apart)
        return uno_comm_agree(makers->all);
    int id = makers->all->rank == 0 ? uno_comm_id_choose() : UNO_ID_NONE;
    uno_makers_pass(makers, 0, &id, sizeof id);
    return id;
}

struct uno_mpi_comm *uno_comm_own(struct uno_mpi_comm *comm) {
    struct uno_makers makers = uno_makers_of(comm);
    int id = uno_makers_agree(&makers);
    return id < 0 ? NULL : uno_comm_child(comm, comm->group, NULL, id);
}

/* ---- exchanges --------------------------------------------------------------------------------------- */

struct uno_makers uno_makers_of(struct uno_mpi_comm *comm) {
    return (struct uno_makers){uno_comm_all(comm), uno_comm_making_context(comm), 0};
}

struct uno_makers uno_makers_in(struct uno_comm *all, const struct uno_mpi_group *group,
                                const struct uno_mpi_comm *parent, int tag) {
    *all = (struct uno_comm){0};
    uno_comm_open(all, group);
    return (struct uno_makers){all, parent ? uno_comm_some_context(parent) : UNO_CONTEXT_GROUPS, tag};
}

static void send(const struct uno_makers *makers, int r, const void *data, size_t bytes) {
    uno_channel_send(uno_rank->channel, makers->all->pe[r], uno_channel_word(makers->context, makers->tag),
                     data, bytes, UNO_SIGNATURE_MPI_COMM_MAKE);
}

static struct uno_receive from_rank(const struct uno_makers *makers, int r, void *data, size_t bytes) {
    return (struct uno_receive){
        .envelope = {.context = makers->context, .source = makers->all->pe[r], .tag = makers->tag},
        .data = data,
        .room = bytes};
}

static void receive(const struct uno_makers *makers, int r, void *data, size_t bytes) {
    struct uno_receive receive = from_rank(makers, r, data, bytes);
    uno_channel_receive(uno_rank->channel, &receive, UNO_SIGNATURE_MPI_COMM_MAKE);
}

void uno_makers_collect(const struct uno_makers *makers, const void *mine, size_t bytes, void *all) {
    struct uno_comm *c = makers->all;
    struct uno_data in = {(void *)mine, bytes, &uno_layout_bytes}, out = {all, bytes, &uno_layout_bytes};
    memcpy((char *)all + (size_t)c->rank * bytes, mine, bytes);
    if (c->size > 1 && !uno_rank->scheduled && uno_allgather(c, &in, &out))
        return;
    for (int i = 1; i < c->size; i++)
        send(makers, (c->rank + i) % c->size, mine, bytes);
    for (int i = 1; i < c->size; i++) {
        int r = (c->rank + c->size - i) % c->size;
        receive(makers, r, (char *)all + (size_t)r * bytes, bytes);
    }
}

void uno_makers_pass(const struct uno_makers *makers, int from, void *data, size_t bytes) {
    struct uno_comm *c = makers->all;
    if (c->size > 1 && !uno_rank->scheduled && uno_bcast(c, data, bytes, &uno_layout_bytes, from))
        return;
    if (c->rank != from)
        receive(makers, from, data, bytes);
    else
        for (int i = 1; i < c->size; i++)
            send(makers, (from + i) % c->size, data, bytes);
}

int uno_makers_swap(int pe, uint32_t context, int tag, const void *out, size_t bytes, void *in, size_t room) {
    struct uno_channel *channel = uno_rank->channel;
    struct uno_receive receive = {
        .envelope = {.context = context, .source = pe, .tag = tag}, .data = in, .room = room};
    uno_channel_post(channel, &receive);
    uno_channel_send(channel, pe, uno_channel_word(context, tag), out, bytes,
                     UNO_SIGNATURE_MPI_INTERCOMM_CREATE);
    uno_channel_finish(channel, &receive, UNO_SIGNATURE_MPI_INTERCOMM_CREATE);
    return uno_received(&receive);
}

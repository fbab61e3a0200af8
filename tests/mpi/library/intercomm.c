/* intercomm --seed S --rounds N: random intercommunicators, their copies and parts, and the messages and
 * collectives over them. Every rank knows the groups, and the data of each of their ranks. */

#include "campaign.h"
#include "rng.h"

#include <stdbool.h>
#include <string.h>

enum { RANKS = 64, LONGEST = 400 };

static struct rng all; /* the same at every rank */
static uint64_t seed;
static int rank, size, number, step; /* in MPI_COMM_WORLD; of the round, and within it */

/* The two groups, as ranks of MPI_COMM_WORLD. A rank that is in neither has MPI_COMM_NULL. */
static struct between {
    MPI_Comm comm;
    int count[2], member[2][RANKS];
    int side, own; /* this rank's group, and its rank there */
} now;

/* Return element i of the data of a rank of MPI_COMM_WORLD. */
static uint32_t value(int from, int i) {
    struct rng r = rng_for(seed, (uint64_t)number, (uint64_t)from, (uint64_t)i);
    return (uint32_t)rng_next(&r);
}

static int other(int r) {
    return now.member[!now.side][r];
}

/* ---- making ----------------------------------------------------------------------------------------------
 */

/* Find this rank's place. Return true if it has one. */
static bool find_place(struct between *b) {
    for (b->side = 0; b->side < 2; b->side++)
        for (b->own = 0; b->own < b->count[b->side]; b->own++)
            if (b->member[b->side][b->own] == rank)
                return true;
    return false;
}

/* Make the intercommunicator from groups; the other group counts at the leader alone. */
static void from_groups(const int leader[2]) {
    MPI_Group world, group[2];
    GOOD(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int s = 0; s < 2; s++)
        GOOD(MPI_Group_incl(world, now.count[s], now.member[s], &group[s]));
    bool leads = now.own == leader[now.side];
    GOOD(MPI_Intercomm_create_from_groups(
        group[now.side], leader[now.side], leads ? group[!now.side] : MPI_GROUP_NULL,
        leads ? leader[!now.side] : -7, "between", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &now.comm));
    for (int s = 0; s < 2; s++)
        GOOD(MPI_Group_free(&group[s]));
    GOOD(MPI_Group_free(&world));
}

/* Make an intercommunicator of two random groups, in random order. */
static void make(void) {
    MPI_Comm half;
    int order[RANKS];
    now = (struct between){.comm = MPI_COMM_NULL};
    for (int i = 0; i < size; i++) {
        int j = rng_below(&all, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    int first = 1 + rng_below(&all, size - 1), second = 1 + rng_below(&all, size - first);
    now.count[0] = first;
    now.count[1] = second;
    memcpy(now.member[0], order, (size_t)first * sizeof *order);
    memcpy(now.member[1], order + first, (size_t)second * sizeof *order);
    int leader[2] = {rng_below(&all, first), rng_below(&all, second)};
    bool there = find_place(&now);
    GOOD(MPI_Comm_split(MPI_COMM_WORLD, there ? now.side : MPI_UNDEFINED, now.own, &half));
    if (!there)
        return;
    if (rng_below(&all, 2)) {
        from_groups(leader);
        GOOD(MPI_Comm_free(&half));
        return;
    }
    bool leads = now.own == leader[now.side]; /* of others the last three arguments do not count */
    int they = now.member[!now.side][leader[!now.side]];
    uint32_t theirs = 0, mine = value(rank, 0);
    MPI_Request request = MPI_REQUEST_NULL;
    if (leads) /* what the leaders tell each other with this tag is not for the program's receive */
        GOOD(MPI_Irecv(&theirs, 1, MPI_UINT32_T, they, number, MPI_COMM_WORLD, &request));
    GOOD(MPI_Intercomm_create(half, leader[now.side], leads ? MPI_COMM_WORLD : MPI_COMM_NULL,
                              leads ? they : -7, number, &now.comm));
    if (leads) {
        GOOD(MPI_Send(&mine, 1, MPI_UINT32_T, they, number, MPI_COMM_WORLD));
        GOOD(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK(theirs == value(they, 0));
    }
    GOOD(MPI_Comm_free(&half));
}

/* Check the communicator. */
static void check(void) {
    int flag, n, own, translated[RANKS];
    MPI_Group world, group;
    GOOD(MPI_Comm_test_inter(now.comm, &flag));
    GOOD(MPI_Comm_size(now.comm, &n));
    GOOD(MPI_Comm_rank(now.comm, &own));
    CHECK(flag && n == now.count[now.side] && own == now.own);
    GOOD(MPI_Comm_remote_size(now.comm, &n));
    CHECK(n == now.count[!now.side]);
    GOOD(MPI_Comm_group(MPI_COMM_WORLD, &world));
    GOOD(MPI_Comm_remote_group(now.comm, &group));
    GOOD(MPI_Group_translate_ranks(world, n, now.member[!now.side], group, translated));
    for (int r = 0; r < n; r++)
        CHECK(translated[r] == r);
    GOOD(MPI_Group_free(&group));
    GOOD(MPI_Group_free(&world));
}

static void replace(MPI_Comm comm) {
    GOOD(MPI_Comm_free(&now.comm));
    now.comm = comm;
}

static void copy(void) {
    MPI_Comm comm;
    int result;
    GOOD(MPI_Comm_dup(now.comm, &comm));
    GOOD(MPI_Comm_compare(now.comm, comm, &result));
    CHECK(result == MPI_CONGRUENT);
    replace(comm);
}

/* Make a part from the ranks of each group that a random number chooses; if one group is empty, there is no
 * communicator. */
static void part(bool by_group) {
    MPI_Comm comm;
    struct between b = {.comm = MPI_COMM_NULL};
    for (int s = 0; s < 2; s++)
        for (int i = now.count[s] - 1; i >= 0; i--)
            if (rng_below(&all, 4))
                b.member[s][b.count[s]++] = now.member[s][i]; /* backwards */
    bool there = find_place(&b);
    if (by_group) {
        MPI_Group world, group;
        GOOD(MPI_Comm_group(MPI_COMM_WORLD, &world));
        GOOD(MPI_Group_incl(world, b.count[now.side], b.member[now.side], &group));
        GOOD(MPI_Comm_create(now.comm, group, &comm));
        GOOD(MPI_Group_free(&group));
        GOOD(MPI_Group_free(&world));
    } else {
        GOOD(MPI_Comm_split(now.comm, there ? 5 : MPI_UNDEFINED, -now.own, &comm));
    }
    bool made = there && b.count[0] && b.count[1];
    CHECK((comm != MPI_COMM_NULL) == made);
    replace(comm);
    b.comm = comm;
    now = b;
}

/* Merge both groups into one, in which this rank's place is known. */
static void merge(void) {
    MPI_Comm comm;
    int high[2] = {rng_below(&all, 2), rng_below(&all, 2)}, n, own, sum;
    GOOD(MPI_Intercomm_merge(now.comm, high[now.side], &comm));
    GOOD(MPI_Comm_size(comm, &n));
    GOOD(MPI_Comm_rank(comm, &own));
    CHECK(n == now.count[0] + now.count[1]);
    if (high[0] != high[1])
        CHECK(own == now.own + (high[now.side] ? now.count[!now.side] : 0));
    GOOD(MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == n * (n - 1) / 2);
    GOOD(MPI_Comm_free(&comm));
}

/* ---- messages ------------------------------------------------------------------------------------------ */

/* Send from every rank to every one of the other group; the receivers take messages as they come. */
static void messages(void) {
    int n = now.count[!now.side], from;
    bool came[RANKS] = {0};
    MPI_Request request[RANKS];
    MPI_Status status;
    for (int r = 0; r < n; r++)
        GOOD(MPI_Isend(&rank, 1, MPI_INT, r, step, now.comm, &request[r]));
    for (int r = 0; r < n; r++) {
        GOOD(MPI_Probe(MPI_ANY_SOURCE, step, now.comm, &status));
        GOOD(MPI_Recv(&from, 1, MPI_INT, status.MPI_SOURCE, step, now.comm, &status));
        CHECK(from == other(status.MPI_SOURCE) && !came[status.MPI_SOURCE]);
        came[status.MPI_SOURCE] = true;
    }
    GOOD(MPI_Waitall(n, request, MPI_STATUSES_IGNORE));
}

/* ---- collectives --------------------------------------------------------------------------------------- */

static uint32_t in[RANKS * LONGEST], out[RANKS * LONGEST + 1];
static int n, root_side, root_rank, root; /* the last as this rank says it */
static int count[RANKS], at[RANKS];       /* blocks of the ranks of the side that is not the root's */

/* The form of the next call: the rank waits in it; it is begun; or it is a request that is started twice. */
static enum { WAITED, BEGUN, KEPT, FORMS } form;

static void prepare(void) {
    form = rng_below(&all, FORMS);
    n = rng_below(&all, LONGEST);
    root_side = rng_below(&all, 2);
    root_rank = rng_below(&all, now.count[root_side]);
    root = now.side != root_side ? root_rank : now.own == root_rank ? MPI_ROOT : MPI_PROC_NULL;
    for (int r = 0, to = 0; r < RANKS; r++) {
        count[r] = rng_below(&all, LONGEST);
        at[r] = to;
        to += count[r];
    }
    for (int i = 0; i < RANKS * LONGEST; i++)
        in[i] = value(rank, i);
    memset(out, 0xdd, sizeof out);
}

/* Check that so many elements have come from a rank of MPI_COMM_WORLD. */
static void came(int place, int elements, int from, int first) {
    for (int i = 0; i < elements; i++)
        CHECK(out[place + i] == value(from, first + i));
}

/* Check that so many sums over the other group have come. */
static void summed(int elements, int first) {
    for (int i = 0; i < elements; i++) {
        uint32_t sum = 0;
        for (int r = 0; r < now.count[!now.side]; r++)
            sum += value(other(r), first + i);
        CHECK(out[i] == sum);
    }
}

#define TYPE MPI_UINT32_T

static void complete(MPI_Request *request) {
    for (int turn = 0; turn < 2 && form == KEPT; turn++) {
        GOOD(MPI_Start(request));
        GOOD(MPI_Wait(request, MPI_STATUS_IGNORE));
    }
    GOOD(form == KEPT ? MPI_Request_free(request) : MPI_Wait(request, MPI_STATUS_IGNORE));
}

#define CALL(Name, name, ...)                                                                                \
    do {                                                                                                     \
        MPI_Request request;                                                                                 \
        if (form == WAITED) {                                                                                \
            GOOD(MPI_##Name(__VA_ARGS__, now.comm));                                                         \
            break;                                                                                           \
        }                                                                                                    \
        GOOD(form == BEGUN ? MPI_I##name(__VA_ARGS__, now.comm, &request)                                    \
                           : MPI_##Name##_init(__VA_ARGS__, now.comm, MPI_INFO_NULL, &request));             \
        complete(&request);                                                                                  \
    } while (0)

static void barrier(void) {
    MPI_Request request;
    if (form == WAITED) {
        GOOD(MPI_Barrier(now.comm));
        return;
    }
    GOOD(form == BEGUN ? MPI_Ibarrier(now.comm, &request)
                       : MPI_Barrier_init(now.comm, MPI_INFO_NULL, &request));
    complete(&request);
}

static void bcast(void) {
    uint32_t *data = root == MPI_ROOT ? in : out;
    GOOD(MPI_Bcast(data, n, TYPE, root, now.comm));
    if (root >= 0)
        came(0, n, other(root), 0);
}

static void gather(void) {
    CALL(Gather, gather, in, n, TYPE, out, n, TYPE, root);
    for (int r = 0; root == MPI_ROOT && r < now.count[!now.side]; r++)
        came(r * n, n, other(r), 0);
}

static void gatherv(void) {
    CALL(Gatherv, gatherv, in, count[now.own], TYPE, out, count, at, TYPE, root);
    for (int r = 0; root == MPI_ROOT && r < now.count[!now.side]; r++)
        came(at[r], count[r], other(r), 0);
}

static void scatter(void) {
    CALL(Scatter, scatter, in, n, TYPE, out, n, TYPE, root);
    if (root >= 0)
        came(0, n, other(root), now.own * n);
}

static void scatterv(void) {
    CALL(Scatterv, scatterv, in, count, at, TYPE, out, count[now.own], TYPE, root);
    if (root >= 0)
        came(0, count[now.own], other(root), at[now.own]);
}

static void allgather(void) {
    CALL(Allgather, allgather, in, n, TYPE, out, n, TYPE);
    for (int r = 0; r < now.count[!now.side]; r++)
        came(r * n, n, other(r), 0);
}

static void allgatherv(void) {
    CALL(Allgatherv, allgatherv, in, count[now.own], TYPE, out, count, at, TYPE);
    for (int r = 0; r < now.count[!now.side]; r++)
        came(at[r], count[r], other(r), 0);
}

static void alltoall(void) {
    CALL(Alltoall, alltoall, in, n, TYPE, out, n, TYPE);
    for (int r = 0; r < now.count[!now.side]; r++)
        came(r * n, n, other(r), now.own * n);
}

/* Send to each rank as many elements as this rank's own number. */
static void alltoallv(void) {
    int counts[RANKS], places[RANKS];
    for (int r = 0; r < RANKS; r++) {
        counts[r] = count[now.own];
        places[r] = r * LONGEST;
    }
    CALL(Alltoallv, alltoallv, in, counts, places, TYPE, out, count, at, TYPE);
    for (int r = 0; r < now.count[!now.side]; r++)
        came(at[r], count[r], other(r), now.own * LONGEST);
}

/* As alltoallv, with displacements in bytes, and received as bytes. */
static void alltoallw(void) {
    int counts[RANKS], places[RANKS], bytes[RANKS], to[RANKS];
    MPI_Datatype numbers[RANKS], letters[RANKS];
    for (int r = 0; r < RANKS; r++) {
        counts[r] = count[now.own];
        places[r] = 4 * r * LONGEST;
        bytes[r] = 4 * count[r];
        to[r] = 4 * at[r];
        numbers[r] = TYPE;
        letters[r] = MPI_BYTE;
    }
    CALL(Alltoallw, alltoallw, in, counts, places, numbers, out, bytes, to, letters);
    for (int r = 0; r < now.count[!now.side]; r++)
        came(at[r], count[r], other(r), now.own * LONGEST);
}

static void reduce(void) {
    CALL(Reduce, reduce, in, out, n, TYPE, MPI_SUM, root);
    if (root == MPI_ROOT)
        summed(n, 0);
}

static void allreduce(void) {
    CALL(Allreduce, allreduce, in, out, n, TYPE, MPI_SUM);
    summed(n, 0);
}

/* Both groups have equally many elements in all. */
static void reduce_scatter_block(void) {
    int own = n / 8 * now.count[!now.side];
    CALL(Reduce_scatter_block, reduce_scatter_block, in, out, own, TYPE, MPI_SUM);
    summed(own, now.own * own);
}

static void reduce_scatter(void) {
    int total = n, mine[RANKS] = {0}, first = 0;
    for (int r = 0; r < now.count[now.side]; r++) {
        bool last = r == now.count[now.side] - 1;
        mine[r] = last ? total : total / 2;
        total -= mine[r];
        first += r < now.own ? mine[r] : 0;
    }
    CALL(Reduce_scatter, reduce_scatter, in, out, mine, TYPE, MPI_SUM);
    summed(mine[now.own], first);
}

static void collective(void) {
    static void (*const calls[])(void) = {
        barrier,  bcast,     gather,    gatherv, scatter,   scatterv,       allgather,           allgatherv,
        alltoall, alltoallv, alltoallw, reduce,  allreduce, reduce_scatter, reduce_scatter_block};
    prepare();
    calls[rng_below(&all, (int)(sizeof calls / sizeof *calls))]();
    CHECK(out[RANKS * LONGEST] == 0xdddddddd);
}

/* ---- attributes and errors ---------------------------------------------------------------------------- */

static int copied(MPI_Comm comm, int key, void *extra, void *value_in, void *value_out, int *flag) {
    (void)comm, (void)key, (void)extra;
    *(void **)value_out = (char *)value_in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static void kept(void) {
    MPI_Comm comm, none;
    MPI_Errhandler handler;
    char name[MPI_MAX_OBJECT_NAME], *attribute, mine[2];
    int key, flag, length, result;
    GOOD(MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &key, NULL));
    GOOD(MPI_Comm_set_attr(now.comm, key, mine));
    GOOD(MPI_Comm_set_name(now.comm, "between"));
    GOOD(MPI_Comm_set_errhandler(now.comm, MPI_ERRORS_RETURN));
    GOOD(MPI_Comm_dup(now.comm, &comm));
    GOOD(MPI_Comm_get_attr(comm, key, &attribute, &flag));
    CHECK(flag && attribute == mine + 1);
    GOOD(MPI_Comm_get_name(now.comm, name, &length));
    CHECK(strcmp(name, "between") == 0);
    GOOD(MPI_Comm_get_errhandler(comm, &handler));
    CHECK(handler == MPI_ERRORS_RETURN);
    CHECK(MPI_Scan(in, out, 1, TYPE, MPI_SUM, comm) == MPI_ERR_COMM);
    CHECK(MPI_Cart_create(comm, 0, NULL, NULL, 0, &none) == MPI_ERR_COMM);
    CHECK(MPI_Bcast(in, 1, TYPE, now.count[!now.side], comm) == MPI_ERR_ROOT);
    CHECK(MPI_Send(in, 1, TYPE, now.count[!now.side], 0, comm) == MPI_ERR_RANK);
    CHECK(MPI_Allreduce(MPI_IN_PLACE, out, 1, TYPE, MPI_SUM, comm) == MPI_ERR_BUFFER);
    GOOD(MPI_Comm_compare(comm, MPI_COMM_SELF, &result));
    CHECK(result == MPI_UNEQUAL);
    GOOD(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &none));
    if (!nodes_apart()) { /* a node may have ranks of one side alone */
        GOOD(MPI_Comm_remote_size(none, &length));
        CHECK(length == now.count[!now.side]);
    }
    if (none != MPI_COMM_NULL)
        GOOD(MPI_Comm_disconnect(&none));
    CHECK(none == MPI_COMM_NULL);
    GOOD(MPI_Comm_free(&comm));
    GOOD(MPI_Comm_delete_attr(now.comm, key));
    GOOD(MPI_Comm_free_keyval(&key));
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    struct campaign campaign = campaign_of(argc, argv, 40);
    seed = campaign.seed;
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    for (number = 0; number < campaign.rounds && size > 1; number++) {
        all = rng_for(seed, (uint64_t)number, 0, 0);
        make();
        for (step = 0; now.comm != MPI_COMM_NULL && step < 12; step++) {
            int kind = rng_below(&all, 12);
            if (step == 0)
                check();
            if (kind == 0)
                copy();
            else if (kind == 1)
                part(rng_below(&all, 2));
            else if (kind == 2)
                merge();
            else if (kind == 3)
                messages();
            else if (kind == 4)
                kept();
            else
                collective();
        }
        if (now.comm != MPI_COMM_NULL)
            GOOD(MPI_Comm_free(&now.comm));
    }
    GOOD(MPI_Comm_get_parent(&now.comm));
    CHECK(now.comm == MPI_COMM_NULL);
    GOOD(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK(MPI_Comm_remote_size(MPI_COMM_WORLD, &number) == MPI_ERR_COMM);
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}

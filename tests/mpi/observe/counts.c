/* Counts the calls of a program that it is linked with, for the truth about them: by function, the bytes that
 * the calls give away, and the messages and bytes to each rank. It shares nothing with mpi/observe: each
 * function is written by hand, nothing is kept from call to call but requests, and sizes and ranks are asked
 * for anew each time. At MPI_Finalize each rank writes what it has counted to $COUNTS.RANK. */

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 128, RANKS = 128, REQUESTS = 256, DIMS = 8 };

static struct tally {
    const char *function;
    long long calls, bytes;
} tally[FUNCTIONS];
static long long messages_to[RANKS], bytes_to[RANKS];
static struct {
    MPI_Request request;
    int to; /* the world's rank; -1: it is no message */
    long long bytes;
} persistent[REQUESTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(const char *function, long long bytes) {
    pthread_mutex_lock(&lock);
    int i = 0;
    while (tally[i].function && strcmp(tally[i].function, function) != 0)
        i++;
    tally[i].function = function;
    tally[i].calls++;
    tally[i].bytes += bytes;
    pthread_mutex_unlock(&lock);
}

/* ---- sizes and ranks --------------------------------------------------------------------------------- */

static long long size_of(long long count, MPI_Datatype type) {
    int bytes;
    if (count == 0)
        return 0;
    PMPI_Type_size(type, &bytes);
    return count * bytes;
}

static int between(MPI_Comm comm) {
    int flag;
    PMPI_Comm_test_inter(comm, &flag);
    return flag;
}

/* Return the number of those to whom a collective gives its blocks. */
static int peers(MPI_Comm comm) {
    MPI_Group group;
    int n;
    if (between(comm))
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    PMPI_Group_size(group, &n);
    PMPI_Group_free(&group);
    return n;
}

static int own(MPI_Comm comm, int (*ask)(MPI_Group, int *)) {
    MPI_Group group;
    int n;
    PMPI_Comm_group(comm, &group);
    ask(group, &n);
    PMPI_Group_free(&group);
    return n;
}

static int is_root(int root, MPI_Comm comm) {
    return between(comm) ? root == MPI_ROOT : root == own(comm, PMPI_Group_rank);
}

/* Return true if this rank gives its data to a root. */
static int gives(int root) {
    return root != MPI_ROOT && root != MPI_PROC_NULL;
}

static int world_rank(int rank, MPI_Comm comm) {
    MPI_Group group, world;
    int result;
    if (between(comm))
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, 1, &rank, world, &result);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    return result;
}

static long long sum(const int *counts, int n, MPI_Datatype type) {
    long long all = 0;
    for (int i = 0; i < n; i++)
        all += size_of(counts[i], type);
    return all;
}

static long long sum_each(const int *counts, int n, const MPI_Datatype *types) {
    long long all = 0;
    for (int i = 0; i < n; i++)
        all += size_of(counts[i], types[i]);
    return all;
}

/* Return the bytes that go to neighbours, each of which has its count and its type, or all the same ones. On
 * a grid those beyond its edges are none. */
static long long to_neighbours(const int *counts, int same, const MPI_Datatype *types, MPI_Datatype type,
                               MPI_Comm comm) {
    int kind, n, from, weighted, extent[DIMS], periodic[DIMS], at[DIMS];
    long long all = 0;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &n);
        PMPI_Cart_get(comm, n, extent, periodic, at);
        n *= 2;
    } else {
        PMPI_Dist_graph_neighbors_count(comm, &from, &n, &weighted);
    }
    for (int i = 0; i < n; i++)
        if (kind != MPI_CART || periodic[i / 2] || at[i / 2] != (i % 2 ? extent[i / 2] - 1 : 0))
            all += size_of(counts ? counts[i] : same, types ? types[i] : type);
    return all;
}

/* ---- messages ---------------------------------------------------------------------------------------- */

static void count_message(int to, long long bytes) {
    pthread_mutex_lock(&lock);
    messages_to[to]++;
    bytes_to[to] += bytes;
    pthread_mutex_unlock(&lock);
}

/* A message goes to that rank. Return its bytes. */
static long long message(long long count, MPI_Datatype type, int to, MPI_Comm comm) {
    if (to == MPI_PROC_NULL)
        return 0;
    count_message(world_rank(to, comm), size_of(count, type));
    return size_of(count, type);
}

static void remember(MPI_Request request, int to, long long bytes) {
    pthread_mutex_lock(&lock);
    int i = 0;
    while (persistent[i].request && persistent[i].request != request)
        i++;
    persistent[i].request = request;
    persistent[i].to = to;
    persistent[i].bytes = bytes;
    pthread_mutex_unlock(&lock);
}

static void remember_message(MPI_Request request, long long count, MPI_Datatype type, int to, MPI_Comm comm) {
    int none = to == MPI_PROC_NULL;
    remember(request, none ? -1 : world_rank(to, comm), none ? 0 : size_of(count, type));
}

/* A persistent request is started. Return its bytes. */
static long long start(MPI_Request request) {
    int i = 0;
    while (persistent[i].request != request)
        i++;
    if (persistent[i].to >= 0)
        count_message(persistent[i].to, persistent[i].bytes);
    return persistent[i].bytes;
}

/* ---- the functions ----------------------------------------------------------------------------------- */

/* A function; `bytes`: those that the call gives away. */
#define CALL(name, parameters, arguments, bytes)                                                             \
    int MPI_##name parameters {                                                                              \
        note("MPI_" #name, bytes);                                                                           \
        return PMPI_##name arguments;                                                                        \
    }
/* A function that makes a persistent request, which is remembered by what follows. */
#define MAKES(name, parameters, arguments, keep)                                                             \
    int MPI_##name parameters {                                                                              \
        note("MPI_" #name, 0);                                                                               \
        int result = PMPI_##name arguments;                                                                  \
        keep;                                                                                                \
        return result;                                                                                       \
    }

#define MESSAGE const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm
#define SENDS(now, later, persistently)                                                                      \
    CALL(now, (MESSAGE), (data, count, type, to, tag, comm), message(count, type, to, comm))                 \
    CALL(later, (MESSAGE, MPI_Request * r), (data, count, type, to, tag, comm, r),                           \
         message(count, type, to, comm))                                                                     \
    MAKES(persistently, (MESSAGE, MPI_Request * r), (data, count, type, to, tag, comm, r),                   \
          remember_message(*r, count, type, to, comm))
SENDS(Send, Isend, Send_init)
SENDS(Ssend, Issend, Ssend_init)
SENDS(Bsend, Ibsend, Bsend_init)
SENDS(Rsend, Irsend, Rsend_init)

#define ASKED void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm
CALL(Recv, (ASKED, MPI_Status *s), (data, count, type, from, tag, comm, s), 0)
CALL(Irecv, (ASKED, MPI_Request *r), (data, count, type, from, tag, comm, r), 0)
MAKES(Recv_init, (ASKED, MPI_Request *r), (data, count, type, from, tag, comm, r), remember(*r, -1, 0))
CALL(Probe, (int from, int tag, MPI_Comm comm, MPI_Status *s), (from, tag, comm, s), 0)
CALL(Iprobe, (int from, int tag, MPI_Comm comm, int *flag, MPI_Status *s), (from, tag, comm, flag, s), 0)
CALL(Mprobe, (int from, int tag, MPI_Comm comm, MPI_Message *m, MPI_Status *s), (from, tag, comm, m, s), 0)
CALL(Improbe, (int from, int tag, MPI_Comm comm, int *flag, MPI_Message *m, MPI_Status *s),
     (from, tag, comm, flag, m, s), 0)
CALL(Mrecv, (void *data, int count, MPI_Datatype type, MPI_Message *m, MPI_Status *s),
     (data, count, type, m, s), 0)
CALL(Imrecv, (void *data, int count, MPI_Datatype type, MPI_Message *m, MPI_Request *r),
     (data, count, type, m, r), 0)
CALL(Sendrecv,
     (const void *data, int count, MPI_Datatype type, int to, int tag, void *into, int room,
      MPI_Datatype into_type, int from, int from_tag, MPI_Comm comm, MPI_Status *s),
     (data, count, type, to, tag, into, room, into_type, from, from_tag, comm, s),
     message(count, type, to, comm))
CALL(Sendrecv_replace,
     (void *data, int count, MPI_Datatype type, int to, int tag, int from, int from_tag, MPI_Comm comm,
      MPI_Status *s),
     (data, count, type, to, tag, from, from_tag, comm, s), message(count, type, to, comm))

CALL(Wait, (MPI_Request * r, MPI_Status *s), (r, s), 0)
CALL(Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s), 0)
CALL(Waitany, (int n, MPI_Request r[], int *index, MPI_Status *s), (n, r, index, s), 0)
CALL(Waitsome, (int n, MPI_Request r[], int *done, int indices[], MPI_Status s[]), (n, r, done, indices, s),
     0)
CALL(Test, (MPI_Request * r, int *flag, MPI_Status *s), (r, flag, s), 0)
CALL(Testall, (int n, MPI_Request r[], int *flag, MPI_Status s[]), (n, r, flag, s), 0)
CALL(Testany, (int n, MPI_Request r[], int *index, int *flag, MPI_Status *s), (n, r, index, flag, s), 0)
CALL(Testsome, (int n, MPI_Request r[], int *done, int indices[], MPI_Status s[]), (n, r, done, indices, s),
     0)
CALL(Cancel, (MPI_Request * r), (r), 0)
CALL(Request_free, (MPI_Request * r), (r), 0)
CALL(Start, (MPI_Request * r), (r), start(*r))
int MPI_Startall(int n, MPI_Request r[]) {
    long long bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += start(r[i]);
    note("MPI_Startall", bytes);
    return PMPI_Startall(n, r);
}
CALL(Buffer_attach, (void *buffer, int bytes), (buffer, bytes), 0)
CALL(Buffer_detach, (void *buffer, int *bytes), (buffer, bytes), 0)

/* ---- collectives: each one that waits, and its twin that does not ----------------------------------------
 */

#define TWO(now, later, parameters, arguments, bytes)                                                        \
    CALL(now, (parameters), (arguments), bytes)                                                              \
    CALL(later, (parameters, MPI_Request * r), (arguments, r), bytes)
#define P(...) __VA_ARGS__

#define ONE const void *data, int count, MPI_Datatype type
#define EACH const void *data, const int counts[], const int places[], MPI_Datatype type
#define INTO void *into, int room, MPI_Datatype into_type
#define INTO_EACH void *into, const int rooms[], const int into_places[], MPI_Datatype into_type
#define FOLD const void *data, void *into, int count, MPI_Datatype type, MPI_Op op
#define placed(data) ((data) == MPI_IN_PLACE)

TWO(Barrier, Ibarrier, P(MPI_Comm comm), P(comm), 0)
TWO(Bcast, Ibcast, P(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
    P(data, count, type, root, comm), is_root(root, comm) ? size_of(count, type) : 0)
TWO(Gather, Igather, P(ONE, INTO, int root, MPI_Comm comm),
    P(data, count, type, into, room, into_type, root, comm),
    gives(root) && !placed(data) ? size_of(count, type) : 0)
TWO(Gatherv, Igatherv, P(ONE, INTO_EACH, int root, MPI_Comm comm),
    P(data, count, type, into, rooms, into_places, into_type, root, comm),
    gives(root) && !placed(data) ? size_of(count, type) : 0)
TWO(Scatter, Iscatter, P(ONE, INTO, int root, MPI_Comm comm),
    P(data, count, type, into, room, into_type, root, comm),
    is_root(root, comm) ? peers(comm) * size_of(count, type) : 0)
TWO(Scatterv, Iscatterv, P(EACH, INTO, int root, MPI_Comm comm),
    P(data, counts, places, type, into, room, into_type, root, comm),
    is_root(root, comm) ? sum(counts, peers(comm), type) : 0)
TWO(Allgather, Iallgather, P(ONE, INTO, MPI_Comm comm), P(data, count, type, into, room, into_type, comm),
    placed(data) ? 0 : size_of(count, type))
TWO(Allgatherv, Iallgatherv, P(ONE, INTO_EACH, MPI_Comm comm),
    P(data, count, type, into, rooms, into_places, into_type, comm), placed(data) ? 0 : size_of(count, type))
TWO(Alltoall, Ialltoall, P(ONE, INTO, MPI_Comm comm), P(data, count, type, into, room, into_type, comm),
    placed(data) ? 0 : peers(comm) * size_of(count, type))
TWO(Alltoallv, Ialltoallv, P(EACH, INTO_EACH, MPI_Comm comm),
    P(data, counts, places, type, into, rooms, into_places, into_type, comm),
    placed(data) ? 0 : sum(counts, peers(comm), type))
TWO(Alltoallw, Ialltoallw,
    P(const void *data, const int counts[], const int places[], const MPI_Datatype types[], void *into,
      const int rooms[], const int into_places[], const MPI_Datatype into_types[], MPI_Comm comm),
    P(data, counts, places, types, into, rooms, into_places, into_types, comm),
    placed(data) ? 0 : sum_each(counts, peers(comm), types))
TWO(Reduce, Ireduce, P(FOLD, int root, MPI_Comm comm), P(data, into, count, type, op, root, comm),
    gives(root) ? size_of(count, type) : 0)
TWO(Allreduce, Iallreduce, P(FOLD, MPI_Comm comm), P(data, into, count, type, op, comm), size_of(count, type))
TWO(Scan, Iscan, P(FOLD, MPI_Comm comm), P(data, into, count, type, op, comm), size_of(count, type))
TWO(Exscan, Iexscan, P(FOLD, MPI_Comm comm), P(data, into, count, type, op, comm), size_of(count, type))
TWO(Reduce_scatter_block, Ireduce_scatter_block, P(FOLD, MPI_Comm comm), P(data, into, count, type, op, comm),
    own(comm, PMPI_Group_size) * size_of(count, type))
TWO(Reduce_scatter, Ireduce_scatter,
    P(const void *data, void *into, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    P(data, into, counts, type, op, comm), sum(counts, own(comm, PMPI_Group_size), type))
TWO(Neighbor_allgather, Ineighbor_allgather, P(ONE, INTO, MPI_Comm comm),
    P(data, count, type, into, room, into_type, comm), size_of(count, type))
TWO(Neighbor_alltoall, Ineighbor_alltoall, P(ONE, INTO, MPI_Comm comm),
    P(data, count, type, into, room, into_type, comm), to_neighbours(NULL, count, NULL, type, comm))
TWO(Neighbor_alltoallv, Ineighbor_alltoallv, P(EACH, INTO_EACH, MPI_Comm comm),
    P(data, counts, places, type, into, rooms, into_places, into_type, comm),
    to_neighbours(counts, 0, NULL, type, comm))
TWO(Neighbor_alltoallw, Ineighbor_alltoallw,
    P(const void *data, const int counts[], const MPI_Aint places[], const MPI_Datatype types[], void *into,
      const int rooms[], const MPI_Aint into_places[], const MPI_Datatype into_types[], MPI_Comm comm),
    P(data, counts, places, types, into, rooms, into_places, into_types, comm),
    to_neighbours(counts, 0, types, MPI_DATATYPE_NULL, comm))
#if MPI_VERSION >= 4
MAKES(Allreduce_init, (FOLD, MPI_Comm comm, MPI_Info info, MPI_Request *r),
      (data, into, count, type, op, comm, info, r), remember(*r, -1, size_of(count, type)))
MAKES(Barrier_init, (MPI_Comm comm, MPI_Info info, MPI_Request *r), (comm, info, r), remember(*r, -1, 0))
CALL(Send_c, (const void *data, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
     (data, count, type, to, tag, comm), message(count, type, to, comm))
#endif

/* ---- objects ----------------------------------------------------------------------------------------- */

CALL(Comm_rank, (MPI_Comm comm, int *rank), (comm, rank), 0)
CALL(Comm_size, (MPI_Comm comm, int *size), (comm, size), 0)
CALL(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made), 0)
CALL(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made), 0)
CALL(Comm_free, (MPI_Comm * comm), (comm), 0)
CALL(Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm other, int other_leader, int tag, MPI_Comm *made),
     (comm, leader, other, other_leader, tag, made), 0)
CALL(Cart_create, (MPI_Comm comm, int n, const int sizes[], const int periods[], int reorder, MPI_Comm *made),
     (comm, n, sizes, periods, reorder, made), 0)
CALL(Dist_graph_create_adjacent,
     (MPI_Comm comm, int n, const int from[], const int from_weights[], int m, const int to[],
      const int to_weights[], MPI_Info info, int reorder, MPI_Comm *made),
     (comm, n, from, from_weights, m, to, to_weights, info, reorder, made), 0)
CALL(Type_contiguous, (int count, MPI_Datatype type, MPI_Datatype *made), (count, type, made), 0)
CALL(Type_vector, (int count, int length, int stride, MPI_Datatype type, MPI_Datatype *made),
     (count, length, stride, type, made), 0)
CALL(Type_commit, (MPI_Datatype * type), (type), 0)
CALL(Type_free, (MPI_Datatype * type), (type), 0)

/* ---- the end ----------------------------------------------------------------------------------------- */

int MPI_Finalize(void) {
    char path[4096];
    int rank = own(MPI_COMM_WORLD, PMPI_Group_rank);
    note("MPI_Finalize", 0);
    snprintf(path, sizeof path, "%s.%d", getenv("COUNTS"), rank);
    FILE *f = fopen(path, "w");
    for (int i = 0; f && i < FUNCTIONS && tally[i].function; i++)
        fprintf(f, "call %s %lld %lld\n", tally[i].function, tally[i].calls, tally[i].bytes);
    for (int i = 0; f && i < RANKS; i++)
        if (messages_to[i])
            fprintf(f, "to %d %lld %lld\n", i, messages_to[i], bytes_to[i]);
    if (!f || fclose(f))
        abort();
    return PMPI_Finalize();
}

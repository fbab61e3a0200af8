/* A first test of every accelerated operation: each is called, and by its PMPI_ name the host's, and the
 * contents of the receive buffers are compared. Numbers are small integers, so that every order of combining
 * gives the same bits. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 9000, RANKS = 16, ROOM = (MOST + 1) * RANKS * 3 };

static int me, n, root, round_;
static size_t used; /* doubles of each buffer that a round needs */
static MPI_Comm comm;
static double in[ROOM], ours[ROOM], theirs[ROOM];
static MPI_Datatype gaps, pair_of_ints; /* 2 doubles of 3; 2 ints in one double */
static MPI_Op affine;

/* An operation that does not commute: x -> a x + b, composed, modulo 2^32. */
static void compose(void *left, void *right, int *count, MPI_Datatype *type) {
    (void)type;
    unsigned *l = left, *r = right;
    for (int i = 0; i < *count; i++) {
        unsigned a = l[2 * i] * r[2 * i], b = l[2 * i + 1] * r[2 * i] + r[2 * i + 1];
        r[2 * i] = a;
        r[2 * i + 1] = b;
    }
}

/* The draws are the same on all ranks of a communicator. */
static unsigned state;
static unsigned draw(void) {
    return (state = state * 1103515245 + 12345) >> 8;
}

/* Data of each rank's own. */
static void fill(void) {
    int *ints = (int *)in;
    for (int i = 0; i < (int)used; i++)
        in[i] = (double)((i * 31 + me * 17 + round_ * 7) % 100);
    if (round_ % 2)
        for (int i = 0; i < (int)used; i++)
            ints[i] = (i * 31 + me * 17 + round_ * 7) % 100;
    memset(ours, 0x55, used * sizeof *ours);
    memset(theirs, 0x55, used * sizeof *theirs);
}

static void same(const char *what, int size) {
    if (!memcmp(ours, theirs, used * sizeof *ours))
        return;
    int world, i = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    while (ours[i] == theirs[i])
        i++;
    fprintf(stderr, "smoke: round %d: %s of %d on %d ranks: rank %d differs from the host at %d: %a, %a\n",
            round_, what, size, n, world, i, ours[i], theirs[i]);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#define BOTH(what, size, call, host)                                                                         \
    do {                                                                                                     \
        double *out = ours;                                                                                  \
        (void)out;                                                                                           \
        fill();                                                                                              \
        call;                                                                                                \
        out = theirs;                                                                                        \
        host;                                                                                                \
        same(what, size);                                                                                    \
    } while (0)
#define TRY(name, size, ...) BOTH(#name, size, MPI_##name(__VA_ARGS__), PMPI_##name(__VA_ARGS__))
#define IN_PLACE(name, size, ...)                                                                            \
    do {                                                                                                     \
        fill();                                                                                              \
        memcpy(ours, in, used * sizeof *in);                                                                 \
        memcpy(theirs, in, used * sizeof *in);                                                               \
        double *out = ours;                                                                                  \
        MPI_##name(__VA_ARGS__);                                                                             \
        out = theirs;                                                                                        \
        PMPI_##name(__VA_ARGS__);                                                                            \
        same(#name " in place", size);                                                                       \
    } while (0)

static void move(int count, MPI_Datatype type, MPI_Datatype other, int others) {
    int here = me == root;
    IN_PLACE(Bcast, count, out, here ? count : others, here ? type : other, root, comm);
    TRY(Gather, count, in, count, type, out, others, other, root, comm);
    TRY(Allgather, count, in, count, type, out, others, other, comm);
    TRY(Scatter, count, in, count, type, out, others, other, root, comm);
    TRY(Alltoall, count, in, count, type, out, others, other, comm);
    IN_PLACE(Allgather, count, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, type, comm);
    IN_PLACE(Alltoall, count, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, type, comm);
    if (here) {
        IN_PLACE(Gather, count, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, count, type, root, comm);
        IN_PLACE(Scatter, count, out, count, type, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, comm);
    } else {
        TRY(Gather, count, in, count, type, NULL, 0, MPI_DATATYPE_NULL, root, comm);
        TRY(Scatter, count, NULL, 0, MPI_DATATYPE_NULL, out, others, other, root, comm);
    }
}

/* Blocks of sizes that only some know. */
static void vary(int most, MPI_Datatype type) {
    int counts[RANKS], places[RANKS], to[RANKS], to_places[RANKS], from[RANKS], from_places[RANKS], at = 0;
    int each[RANKS]; /* as many to a rank as from it */
    for (int r = 0; r < n; r++) {
        counts[r] = (int)(draw() % (unsigned)(most + 1));
        places[r] = at;
        at += counts[r] + 1;
    }
    for (int r = 0; r < n; r++) {
        to[r] = most - (me * 7 + r * 3 + round_) % (most + 1);
        from[r] = most - (r * 7 + me * 3 + round_) % (most + 1);
        each[r] = most - (r + me + round_) % (most + 1);
        to_places[r] = from_places[r] = r * (most + 1);
    }
    TRY(Gatherv, most, in, counts[me], type, out, counts, places, type, root, comm);
    TRY(Allgatherv, most, in, counts[me], type, out, counts, places, type, comm);
    TRY(Scatterv, most, in, counts, places, type, out, counts[me], type, root, comm);
    TRY(Alltoallv, most, in, to, to_places, type, out, from, from_places, type, comm);
    IN_PLACE(Allgatherv, most, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, places, type, comm);
    IN_PLACE(Alltoallv, most, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, out, each, to_places, type, comm);
    if (me == root) {
        IN_PLACE(Gatherv, most, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, places, type, root, comm);
        IN_PLACE(Scatterv, most, out, counts, places, type, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, comm);
    } else {
        TRY(Gatherv, most, in, counts[me], type, NULL, NULL, NULL, MPI_DATATYPE_NULL, root, comm);
        TRY(Scatterv, most, NULL, NULL, NULL, MPI_DATATYPE_NULL, out, counts[me], type, root, comm);
    }
}

static void combine(int count, MPI_Datatype type, MPI_Op op) {
    int counts[RANKS];
    for (int r = 0; r < n; r++)
        counts[r] = (int)(draw() % (unsigned)(count + 1));
    TRY(Allreduce, count, in, out, count, type, op, comm);
    TRY(Reduce, count, in, out, count, type, op, root, comm);
    TRY(Scan, count, in, out, count, type, op, comm);
    TRY(Exscan, count, in, out, count, type, op, comm);
    TRY(Reduce_scatter_block, count, in, out, count, type, op, comm);
    TRY(Reduce_scatter, count, in, out, counts, type, op, comm);
    IN_PLACE(Allreduce, count, MPI_IN_PLACE, out, count, type, op, comm);
    IN_PLACE(Scan, count, MPI_IN_PLACE, out, count, type, op, comm);
    IN_PLACE(Reduce_scatter_block, count, MPI_IN_PLACE, out, count, type, op, comm);
    if (me == root)
        IN_PLACE(Reduce, count, MPI_IN_PLACE, out, count, type, op, root, comm);
    else
        TRY(Reduce, count, in, out, count, type, op, root, comm);
}

static void play(int count) {
    used = (size_t)((count + 1) * n * 3);
    root = (int)(draw() % (unsigned)n);
    MPI_Barrier(comm);
    if (round_ % 2) {
        move(count, MPI_INT, MPI_INT, count);
        move(count, pair_of_ints, MPI_INT, 2 * count);
        vary(count, MPI_INT);
        combine(count, MPI_INT, draw() % 2 ? MPI_SUM : MPI_MAX);
        combine(count, MPI_2INT, MPI_MINLOC);
        combine(count, pair_of_ints, affine);
    } else {
        move(count, MPI_DOUBLE, MPI_DOUBLE, count);
        move(count, gaps, MPI_DOUBLE, 2 * count);
        vary(count, gaps);
        combine(count, MPI_DOUBLE, draw() % 2 ? MPI_SUM : MPI_MIN);
    }
}

int main(int argc, char **argv) {
    static const int counts[] = {1, 2, 1, 5, 6, 7, 13, 1, 100, 1000, 3, MOST};
    MPI_Comm parts, turned;
    int rank, provided;
    if (argc > 2 && !strcmp(argv[2], "threads"))
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(1, 2, 3, MPI_DOUBLE, &gaps);
    MPI_Type_create_resized(gaps, 0, 3 * sizeof(double), &gaps);
    MPI_Type_commit(&gaps);
    MPI_Type_contiguous(2, MPI_INT, &pair_of_ints);
    MPI_Type_commit(&pair_of_ints);
    MPI_Op_create(compose, 0, &affine);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    int rounds = argc > 1 ? atoi(argv[1]) : 12;
    for (round_ = 0; round_ < rounds; round_++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % (1 + round_ % 3), rank, &parts);
        MPI_Comm each[] = {MPI_COMM_WORLD, parts, turned};
        for (int i = 0; i < 3; i++) {
            comm = each[i];
            state = (unsigned)(round_ * 3 + i);
            MPI_Comm_rank(comm, &me);
            MPI_Comm_size(comm, &n);
            play(counts[(size_t)round_ % (sizeof counts / sizeof *counts)]);
        }
        MPI_Comm_free(&parts);
    }
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return 0;
}

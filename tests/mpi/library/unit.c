/* Collectives, each called once with little data: what a rank gets is printed bit by bit, for test_unit.py,
 * which compares it with what it gets without a unit.
 *
 *     unit ELEMENTS [NAME ...]     of one rank, at most MOST; in the v forms every rank has another number.
 *                                  Without a name: all of them */

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, MOST = 2000, ALL = RANKS * (MOST + RANKS) };

static int me, size, count;
static double in[ALL], out[ALL];
static int counts[RANKS], places[RANKS], back[RANKS], byte_places[RANKS];
static MPI_Datatype types[RANKS];

/* Combine in an order that shows in the result. */
static void weave(void *a, void *b, int *n, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *n; i++)
        ((double *)b)[i] = ((double *)a)[i] * 1.5 + ((double *)b)[i] / 3;
}

static void barrier(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(void) {
    memcpy(out, in, (size_t)count * sizeof *in);
    MPI_Bcast(out, count, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);
}

static void gather(void) {
    MPI_Gather(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, 1, MPI_COMM_WORLD);
}

static void gatherv(void) {
    MPI_Gatherv(in, counts[me], MPI_DOUBLE, out, counts, places, MPI_DOUBLE, 1, MPI_COMM_WORLD);
}

static void scatter(void) {
    MPI_Scatter(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, 1, MPI_COMM_WORLD);
}

static void scatterv(void) {
    MPI_Scatterv(in, counts, places, MPI_DOUBLE, out, counts[me], MPI_DOUBLE, 1, MPI_COMM_WORLD);
}

static void allgather(void) {
    MPI_Allgather(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void allgatherv(void) {
    MPI_Allgatherv(in, counts[me], MPI_DOUBLE, out, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void alltoall(void) {
    memcpy(out, in, (size_t)(count * size) * sizeof *in);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DOUBLE, out, count, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void alltoallv(void) {
    MPI_Alltoallv(in, counts, places, MPI_DOUBLE, out, back, places, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void alltoallw(void) {
    MPI_Alltoallw(in, counts, byte_places, types, out, back, byte_places, types, MPI_COMM_WORLD);
}

static void reduce(void) {
    MPI_Op op;
    MPI_Op_create(weave, 0, &op);
    MPI_Reduce(in, out, count, MPI_DOUBLE, op, 1, MPI_COMM_WORLD);
    MPI_Op_free(&op);
}

static void allreduce(void) {
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void scan(void) {
    MPI_Scan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void exscan(void) {
    MPI_Exscan(in, out, count, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
}

static void reduce_scatter(void) {
    MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_scatter_block(void) {
    MPI_Reduce_scatter_block(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* The root's data are bytes, which fit every type. */
static void bytes(void) {
    memcpy(out, in, (size_t)count * sizeof *in);
    MPI_Bcast(out, me ? count : count * (int)sizeof *out, me ? MPI_DOUBLE : MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void message(void) {
    if (me == 0)
        MPI_Send(in, count, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else if (me == 1)
        MPI_Recv(out, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

#define COLLECTIVES(X)                                                                                       \
    X(barrier)                                                                                               \
    X(bcast)                                                                                                 \
    X(gather)                                                                                                \
    X(gatherv)                                                                                               \
    X(scatter)                                                                                               \
    X(scatterv)                                                                                              \
    X(allgather)                                                                                             \
    X(allgatherv)                                                                                            \
    X(alltoall)                                                                                              \
    X(alltoallv)                                                                                             \
    X(alltoallw) X(reduce) X(allreduce) X(scan) X(exscan) X(reduce_scatter) X(reduce_scatter_block)

static const struct {
    const char *name;
    void (*call)(void);
} collectives[] = {
#define X(name) {#name, name},
    COLLECTIVES(X)
#undef X
};

/* Give every rank other blocks: those of the v forms have up to `size` elements more, or none. */
static void prepare(void) {
    for (int i = 0; i < ALL; i++)
        in[i] = 0.1 * (me + 1) + i / 7.0;
    for (int r = 0; r < size; r++) {
        counts[r] = r == 2 ? 0 : count + r % 3;
        back[r] = me == 2 ? 0 : count + me % 3;
        places[r] = r * (count + RANKS);
        byte_places[r] = places[r] * (int)sizeof *in;
        types[r] = MPI_DOUBLE;
    }
}

/* Call it, and show the result, with what lies between the blocks. */
static void run(const char *name, void (*call)(void)) {
    uint64_t bits;
    memset(out, 0, sizeof out);
    call();
    printf("%s %d:", name, me);
    for (int i = 0; i < size * (count + RANKS); i++) {
        memcpy(&bits, &out[i], sizeof bits);
        printf(" %llx", (unsigned long long)bits);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    count = atoi(argv[1]);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    prepare();
    for (size_t i = 0; argc == 2 && i < sizeof collectives / sizeof *collectives; i++)
        run(collectives[i].name, collectives[i].call);
    for (int k = 2; k < argc; k++) {
        if (strcmp(argv[k], "message") == 0)
            run(argv[k], message);
        if (strcmp(argv[k], "bytes") == 0)
            run(argv[k], bytes);
        for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
            if (strcmp(argv[k], collectives[i].name) == 0)
                run(argv[k], collectives[i].call);
    }
    MPI_Finalize();
    return 0;
}

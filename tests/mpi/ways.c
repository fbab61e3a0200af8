/* Large blocks, in so many operations of each kind that the accelerator tries both ways to copy them and
 * settles for one (transport/plan.c); sizes lie on both sides of its limits, and differ between ranks in the
 * v forms. The contents are checked. Where refuse.c is preloaded and makes one of the ways slow, the other
 * must be taken in the end: in a whole row; on a busy machine a trial may find the wrong one, and the next
 * trial comes some rows later. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIAL = 40, MIXED = 600, ROW = 100, ROWS = 60, MAX_RANKS = 8, MOST = 200 * 1024 };

static const int sizes[] = {0, 100, 9000, 16 * 1024, 20 * 1024, 50 * 1024, 70 * 1024, MOST};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static int me, ranks;
static long wrong;
static MPI_Comm comm; /* of its own for each operation: one that could not read does without from then on */
static char *in, *out;
static int sent[MAX_RANKS], sent_at[MAX_RANKS], taken[MAX_RANKS], taken_at[MAX_RANKS];

/* The draws are the same on all ranks. */
static unsigned state = 1;
static int draw(int below) {
    state = state * 1103515245 + 12345;
    return (int)(state >> 8) % below;
}

/* Return byte k of the block that `from` sends to `to` in operation i. */
static char value(int i, int from, int to, int k) {
    return (char)(i * 7 + from * 31 + to * 17 + k * 13 + (k >> 8));
}

static void fill(char *at, int i, int to, int bytes) {
    for (int k = 0; k < bytes; k++)
        at[k] = value(i, me, to, k);
}

static void expect(const char *at, int i, int from, int to, int bytes) {
    for (int k = 0; k < bytes; k++)
        wrong += at[k] != value(i, from, to, k);
}

enum { ANY = 0 }; /* a block that is the same for all */

static void bcast(int i, int root, int bytes) {
    if (me == root)
        fill(out, i, ANY, bytes);
    MPI_Bcast(out, bytes, MPI_CHAR, root, comm);
    expect(out, i, root, ANY, bytes);
}

static void scatter(int i, int root, int bytes) {
    for (int r = 0; r < ranks && me == root; r++)
        fill(in + r * bytes, i, r, bytes);
    MPI_Scatter(in, bytes, MPI_CHAR, out, bytes, MPI_CHAR, root, comm);
    expect(out, i, root, me, bytes);
}

static void gather(int i, int root, int bytes) {
    fill(in, i, root, bytes);
    MPI_Gather(in, bytes, MPI_CHAR, out, bytes, MPI_CHAR, root, comm);
    for (int r = 0; r < ranks && me == root; r++)
        expect(out + r * bytes, i, r, root, bytes);
}

static void allgather(int i, int root, int bytes) {
    (void)root;
    fill(in, i, ANY, bytes);
    MPI_Allgather(in, bytes, MPI_CHAR, out, bytes, MPI_CHAR, comm);
    for (int r = 0; r < ranks; r++)
        expect(out + r * bytes, i, r, ANY, bytes);
}

static void alltoall(int i, int root, int bytes) {
    (void)root;
    for (int r = 0; r < ranks; r++)
        fill(in + r * bytes, i, r, bytes);
    MPI_Alltoall(in, bytes, MPI_CHAR, out, bytes, MPI_CHAR, comm);
    for (int r = 0; r < ranks; r++)
        expect(out + r * bytes, i, r, me, bytes);
}

/* Choose the sizes of this rank's blocks: one of them `bytes`, the others any smaller size. */
static void share_out(int bytes, int alike) {
    int large = draw(ranks * (alike ? 1 : ranks));
    for (int from = 0, s = 0, t = 0; from < ranks; from++)
        for (int to = 0; to < ranks; to++) {
            int n = sizes[draw(SIZES)];
            n = (alike ? from : from * ranks + to) == large || n > bytes ? bytes : n;
            if (alike && to)
                n = taken[from];
            if (from == me) {
                sent[to] = n;
                sent_at[to] = s;
                s += alike ? 0 : n;
            }
            if (alike ? !to : to == me) {
                taken[from] = n;
                taken_at[from] = t;
                t += n;
            }
        }
}

static void gatherv(int i, int root, int bytes) {
    share_out(bytes, 1);
    fill(in, i, root, taken[me]);
    MPI_Gatherv(in, taken[me], MPI_CHAR, out, taken, taken_at, MPI_CHAR, root, comm);
    for (int r = 0; r < ranks && me == root; r++)
        expect(out + taken_at[r], i, r, root, taken[r]);
}

static void allgatherv(int i, int root, int bytes) {
    (void)root;
    share_out(bytes, 1);
    fill(in, i, ANY, taken[me]);
    MPI_Allgatherv(in, taken[me], MPI_CHAR, out, taken, taken_at, MPI_CHAR, comm);
    for (int r = 0; r < ranks; r++)
        expect(out + taken_at[r], i, r, ANY, taken[r]);
}

static void scatterv(int i, int root, int bytes) {
    share_out(bytes, 1); /* `taken` is what each gets of the root */
    for (int r = 0; r < ranks && me == root; r++)
        fill(in + taken_at[r], i, r, taken[r]);
    MPI_Scatterv(in, taken, taken_at, MPI_CHAR, out, taken[me], MPI_CHAR, root, comm);
    expect(out, i, root, me, taken[me]);
}

static void alltoallv(int i, int root, int bytes) {
    (void)root;
    share_out(bytes, 0);
    for (int r = 0; r < ranks; r++)
        fill(in + sent_at[r], i, r, sent[r]);
    MPI_Alltoallv(in, sent, sent_at, MPI_CHAR, out, taken, taken_at, MPI_CHAR, comm);
    for (int r = 0; r < ranks; r++)
        expect(out + taken_at[r], i, r, me, taken[r]);
}

static void in_place(int i, int root, int bytes) {
    (void)root;
    for (int r = 0; r < ranks; r++) {
        taken[r] = bytes;
        taken_at[r] = r * bytes;
        fill(out + r * bytes, i, r, bytes);
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_CHAR, out, taken, taken_at, MPI_CHAR, comm);
    for (int r = 0; r < ranks; r++)
        expect(out + r * bytes, i, r, me, bytes);
}

static unsigned element(int i, int from, int k) {
    char bytes[sizeof(unsigned)];
    unsigned e;
    for (int b = 0; b < (int)sizeof e; b++)
        bytes[b] = value(i, from, ANY, k * (int)sizeof e + b);
    memcpy(&e, bytes, sizeof e);
    return e;
}

static void take_turns(void *left, void *right, int *count, MPI_Datatype *type) {
    unsigned *l = left, *r = right;
    (void)type;
    for (int k = 0; k < *count; k++)
        r[k] += 3 * l[k];
}

/* Count the results that are not those of elements [from, from + count). */
static void expect_results(MPI_Op op, int i, const char *at, int from, int count) {
    for (int k = 0; k < count; k++) {
        unsigned want = element(i, 0, from + k), got;
        for (int r = 1; r < ranks; r++)
            want = (op == MPI_SUM ? 1 : 3) * want + element(i, r, from + k);
        memcpy(&got, at + k * (int)sizeof got, sizeof got);
        wrong += got != want;
    }
}

/* Reduce by a sum, or by the operation in which the order of ranks shows. */
static void reduce_by(MPI_Op op, int alone, int i, int root, int bytes) {
    int count = bytes / (int)sizeof(unsigned);
    fill(alone && me == root ? out : in, i, ANY, bytes);
    MPI_Reduce(alone && me == root ? MPI_IN_PLACE : in, out, count, MPI_UNSIGNED, op, root, comm);
    if (me == root)
        expect_results(op, i, out, 0, count);
}

static void allreduce_by(MPI_Op op, int alone, int i, int bytes) {
    int count = bytes / (int)sizeof(unsigned), here = alone && (me + i) % 2;
    fill(here ? out : in, i, ANY, bytes);
    MPI_Allreduce(here ? MPI_IN_PLACE : in, out, count, MPI_UNSIGNED, op, comm);
    expect_results(op, i, out, 0, count);
}

/* Ranks get parts of different sizes, or of the same. */
static void reduce_scatter_by(MPI_Op op, int alone, int alike, int i, int bytes) {
    int count = bytes / (int)sizeof(unsigned) / ranks, from = 0, total = 0;
    int here = alone && (me + i) % 2;
    for (int r = 0; r < ranks; r++) {
        taken[r] = alike ? count : draw(count + 1);
        from += r < me ? taken[r] : 0;
        total += taken[r];
    }
    fill(here ? out : in, i, ANY, total * (int)sizeof(unsigned));
    if (alike)
        MPI_Reduce_scatter_block(here ? MPI_IN_PLACE : in, out, count, MPI_UNSIGNED, op, comm);
    else
        MPI_Reduce_scatter(here ? MPI_IN_PLACE : in, out, taken, MPI_UNSIGNED, op, comm);
    expect_results(op, i, out, from, taken[me]);
}

static void reduce(int i, int root, int bytes) {
    reduce_by(MPI_SUM, 0, i, root, bytes);
}

static void reduce_in_place(int i, int root, int bytes) {
    reduce_by(MPI_SUM, 1, i, root, bytes);
}

static void reduce_in_turns(int i, int root, int bytes) {
    MPI_Op op;
    MPI_Op_create(take_turns, 0, &op);
    reduce_by(op, 0, i, root, bytes);
    MPI_Op_free(&op);
}

static void allreduce(int i, int root, int bytes) {
    (void)root;
    allreduce_by(MPI_SUM, 0, i, bytes);
}

static void allreduce_in_place(int i, int root, int bytes) {
    (void)root;
    allreduce_by(MPI_SUM, 1, i, bytes);
}

static void allreduce_in_turns(int i, int root, int bytes) {
    MPI_Op op;
    MPI_Op_create(take_turns, 0, &op);
    allreduce_by(op, root == 0, i, bytes);
    MPI_Op_free(&op);
}

static void reduce_scatter(int i, int root, int bytes) {
    reduce_scatter_by(MPI_SUM, root == 0, 0, i, bytes);
}

static void reduce_scatter_block(int i, int root, int bytes) {
    MPI_Op op;
    MPI_Op_create(take_turns, 0, &op);
    reduce_scatter_by(root == 0 ? MPI_SUM : op, root % 2, 1, i, bytes);
    MPI_Op_free(&op);
}

static void (*const operation[])(int i, int root, int bytes) = {bcast,
                                                                scatter,
                                                                gather,
                                                                allgather,
                                                                alltoall,
                                                                reduce,
                                                                reduce_in_place,
                                                                reduce_in_turns,
                                                                allreduce,
                                                                allreduce_in_place,
                                                                allreduce_in_turns,
                                                                reduce_scatter,
                                                                reduce_scatter_block,
                                                                gatherv,
                                                                allgatherv,
                                                                scatterv,
                                                                alltoallv,
                                                                in_place};
enum { OPERATIONS = sizeof operation / sizeof operation[0] };

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    in = malloc((size_t)MAX_RANKS * MOST);
    out = malloc((size_t)MAX_RANKS * MOST);
    if (ranks > MAX_RANKS || !in || !out)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm comms[OPERATIONS];
    for (int o = 0; o < OPERATIONS; o++) { /* the largest blocks alone: of less nothing is known then */
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[o]);
        comm = comms[o];
        for (int i = 0; i < TRIAL; i++)
            operation[o](i, i % ranks, MOST);
    }
    for (int i = 0; i < MIXED; i++) {
        int o = draw(OPERATIONS), root = draw(ranks);
        comm = comms[o];
        operation[o](i, root, sizes[draw(SIZES)]);
    }
    const long *slow = dlsym(RTLD_DEFAULT, "test_slow_reads");
    const char *refuse = getenv("REFUSE");
    int settled = !slow || !refuse || strcmp(refuse, "slow") != 0;
    comm = comms[0];
    for (int row = 0; row < ROWS && !settled; row++) {
        long before = *slow;
        for (int i = 0; i < ROW; i++)
            bcast(i, 0, 40 * 1024);
        settled = me == 0 || (before && *slow == before);
        MPI_Allreduce(MPI_IN_PLACE, &settled, 1, MPI_INT, MPI_MIN, comm);
    }
    long all = 0;
    MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, comm);
    if (me == 0 && all)
        printf("ways: %ld bytes are wrong\n", all);
    if (me == 0 && !settled)
        printf("ways: the slow one is still taken after %d rows\n", ROWS);
    for (int o = 0; o < OPERATIONS; o++)
        MPI_Comm_free(&comms[o]);
    MPI_Finalize();
    return all || !settled;
}

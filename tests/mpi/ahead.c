/* Rows of operations in which ranks may run ahead of the others, as far as they can: the one that would hold
 * them up is late. The contents of each are checked. With an argument, the ranks disagree instead, by the
 * number of bytes, the communicator, or the operation, and the program is to end by an error. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    ROW = 1000, /* more than can be under way */
    LATE_US = 20 * 1000,
    MOST = 70, /* elements: some operations are larger than those in which ranks run ahead */
    MAX_RANKS = 64,
};

static int me, ranks;
static MPI_Comm turned; /* the ranks in reverse order */
static long wrong;

static int count_of(int i) {
    return i % 7 ? i % 5 + 1 : i % MOST + 1;
}

/* Element e of what rank r of the communicator puts into operation i. */
static long value(int i, int r, int e) {
    return i * 1000L + r * 100 + e;
}

static void fill(long *data, int i, int r, int count) {
    for (int e = 0; e < count; e++)
        data[e] = value(i, r, e);
}

static void expect(const long *data, long first, long step, int count) {
    for (int e = 0; e < count; e++)
        wrong += data[e] != first + e * step;
}

static void bcast(int i, int root, int r, MPI_Comm comm) {
    long data[MOST] = {0};
    int count = count_of(i);
    if (r == root)
        fill(data, i, r, count);
    MPI_Bcast(data, count, MPI_LONG, root, comm);
    expect(data, value(i, root, 0), 1, count);
}

static void scatter(int i, int root, int r, MPI_Comm comm) {
    static long all[MAX_RANKS * MOST];
    long data[MOST] = {0};
    int count = count_of(i);
    for (int k = 0; r == root && k < ranks; k++)
        fill(all + k * count, i, k, count);
    MPI_Scatter(all, count, MPI_LONG, data, count, MPI_LONG, root, comm);
    expect(data, value(i, r, 0), 1, count);
}

static void gather(int i, int root, int r, MPI_Comm comm) {
    static long all[MAX_RANKS * MOST];
    long data[MOST] = {0};
    int count = count_of(i);
    fill(data, i, r, count);
    MPI_Gather(data, count, MPI_LONG, all, count, MPI_LONG, root, comm);
    for (int k = 0; r == root && k < ranks; k++)
        expect(all + k * count, value(i, k, 0), 1, count);
}

/* The sum of the first n ranks' first elements. */
static long sum(int i, int n) {
    return n * value(i, 0, 0) + 100L * n * (n - 1) / 2;
}

static void reduce(int i, int root, int r, MPI_Comm comm) {
    long data[MOST] = {0}, out[MOST];
    int count = count_of(i);
    fill(data, i, r, count);
    MPI_Reduce(data, out, count, MPI_LONG, MPI_SUM, root, comm);
    if (r == root)
        expect(out, sum(i, ranks), ranks, count);
}

static void scan(int i, int root, int r, MPI_Comm comm) {
    long data[MOST] = {0}, out[MOST];
    int count = count_of(i);
    (void)root;
    fill(data, i, r, count);
    MPI_Scan(data, out, count, MPI_LONG, MPI_SUM, comm);
    expect(out, sum(i, r + 1), r + 1, count);
}

static void exscan(int i, int root, int r, MPI_Comm comm) {
    long data[MOST] = {0}, out[MOST];
    int count = count_of(i);
    (void)root;
    fill(data, i, r, count);
    MPI_Exscan(data, out, count, MPI_LONG, MPI_SUM, comm);
    if (r)
        expect(out, sum(i, r), r, count);
}

static const struct {
    const char *name;
    void (*run)(int i, int root, int r, MPI_Comm comm);
} operation[] = {{"Bcast", bcast},   {"Scatter", scatter}, {"Gather", gather},
                 {"Reduce", reduce}, {"Scan", scan},       {"Exscan", exscan}};

enum { OPERATIONS = sizeof operation / sizeof operation[0] };

/* A row of one operation with one root; k: of all of them in turn. */
static void row(int k, int root, int late) {
    if (me == late)
        usleep(LATE_US);
    for (int i = 0; i < ROW; i++) {
        int turn = i % 3 == 2, op = k < OPERATIONS ? k : i % OPERATIONS;
        operation[op].run(i, turn ? ranks - 1 - root : root, turn ? ranks - 1 - me : me,
                          turn ? turned : MPI_COMM_WORLD);
    }
}

static void disagree(const char *by) {
    MPI_Comm pair;
    long data[MOST] = {0};
    fill(data, 0, me, MOST);
    MPI_Comm_split(MPI_COMM_WORLD, me < 2 ? 0 : MPI_UNDEFINED, me, &pair);
    if (!strcmp(by, "operation") && me == 0)
        gather(0, 0, me, MPI_COMM_WORLD);
    else if (!strcmp(by, "bytes"))
        MPI_Bcast(data, me ? 2 : 1, MPI_LONG, 0, MPI_COMM_WORLD);
    else if (!strcmp(by, "communicator") && me < 2)
        MPI_Bcast(data, 1, MPI_LONG, 0, me ? pair : MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    long all, ever = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &turned);
    if (argc > 1)
        disagree(argv[1]);
    for (int k = 0; k <= OPERATIONS; k++) {
        wrong = 0;
        for (int root = 0; root<ranks; root += ranks> 1 ? ranks - 1 : 1)
            for (int late = 0; late < ranks; late++)
                row(k, root, late);
        MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (me == 0 && all)
            printf("%ld elements are wrong in the rows of %s\n", all,
                   k < OPERATIONS ? operation[k].name : "all operations");
        ever += all;
    }
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return ever != 0;
}

/* Communicators over several nodes, real ones or pretended by the environment: floating-point numbers are
 * combined in rank order, to the bit, and many communicators can be made and freed: as many as the argument
 * says. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 7 };

static int me, n;
static MPI_Comm comm;

static void fail(const char *what) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "nodes: rank %d: %s of %d ranks is wrong\n", rank, what, n);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Return values of very different sizes, so that another order gives other bits. */
static double value(int r, int i) {
    double v = 1.0 / (3 + r + i);
    for (int k = 0; k < (r * 7 + i * 3) % 40; k++)
        v *= r % 2 ? -2.5 : 3.7;
    return v;
}

/* Check the sums of the first `ranks` ranks, in rank order. */
static void expect(const char *what, const double *got, int ranks) {
    for (int i = 0; i < COUNT; i++) {
        double sum = value(0, i);
        for (int r = 1; r < ranks; r++)
            sum += value(r, i);
        if (memcmp(&sum, &got[i], sizeof sum) != 0)
            fail(what);
    }
}

static void order(void) {
    double in[COUNT], out[COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = value(me, i);
    MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, comm);
    expect("MPI_Allreduce", out, n);
    for (int root = 0; root < n; root++) {
        MPI_Reduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, root, comm);
        if (me == root)
            expect("MPI_Reduce", out, n);
    }
    MPI_Scan(in, out, COUNT, MPI_DOUBLE, MPI_SUM, comm);
    expect("MPI_Scan", out, me + 1);
    memcpy(out, in, sizeof in);
    MPI_Exscan(MPI_IN_PLACE, out, COUNT, MPI_DOUBLE, MPI_SUM, comm);
    if (me)
        expect("MPI_Exscan", out, me);
}

static void play(MPI_Comm with) {
    comm = with;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    order();
}

int main(int argc, char **argv) {
    int rank, size, communicators = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    play(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank * 5 % 7, &other);
    play(other);
    MPI_Comm_free(&other);
    MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1, -rank, &other);
    play(other);
    MPI_Comm_free(&other);
    for (int i = 0; i < communicators; i++) {
        int sum, mine = rank + i;
        MPI_Comm_dup(MPI_COMM_WORLD, &other);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, other);
        if (sum != size * i + size * (size - 1) / 2)
            fail("MPI_Allreduce of one of many communicators");
        MPI_Comm_free(&other);
    }
    MPI_Finalize();
    return 0;
}

/* A first look at every accelerated operation, on several communicators: small random data, each result
 * compared with what every rank computes for itself. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void check(int good, const char *what, int round) {
    if (good)
        return;
    fprintf(stderr, "smoke: rank %d of %d: %s is wrong in round %d\n", rank, size, what, round);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* What rank r puts into a round: the same everywhere. */
static int value(int round, int r) {
    return (round * 7919 + r * 104729) % 1000 - 500;
}

static void play(MPI_Comm comm, int round) {
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    int mine = value(round, me), sum = 0, least = 1000, root = round % n, out;
    double real = mine / 3.0, total = 0, all;
    for (int r = 0; r < n; r++) {
        sum += value(round, r);
        least = value(round, r) < least ? value(round, r) : least;
        total += value(round, r) / 3.0;
    }
    MPI_Allreduce(&mine, &out, 1, MPI_INT, MPI_SUM, comm);
    check(out == sum, "MPI_Allreduce of int by MPI_SUM", round);
    out = mine;
    MPI_Allreduce(MPI_IN_PLACE, &out, 1, MPI_INT, MPI_MIN, comm);
    check(out == least, "MPI_Allreduce in place by MPI_MIN", round);
    MPI_Allreduce(&real, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    check(all == total || n > 2, "MPI_Allreduce of double", round);
    check(all - total < 1e-9 && total - all < 1e-9, "MPI_Allreduce of double", round);
    out = mine;
    MPI_Bcast(&out, 1, MPI_INT, root, comm);
    check(out == value(round, root), "MPI_Bcast", round);
    char text[64];
    snprintf(text, sizeof text, "%d", mine);
    MPI_Bcast(text, sizeof text, MPI_CHAR, root, comm);
    check(atoi(text) == value(round, root), "MPI_Bcast of text", round);
    MPI_Barrier(comm);
}

int main(int argc, char **argv) {
    MPI_Comm parts, turned;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    for (int round = 0; round < 300; round++) {
        play(MPI_COMM_WORLD, round);
        MPI_Comm_split(MPI_COMM_WORLD, rank % (1 + round % 3), rank, &parts);
        play(parts, round);
        play(turned, round);
        MPI_Comm_free(&parts);
    }
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return 0;
}

/* A conjugate gradient, a plain MPI program: the five-point Laplacian on a square grid of side x side points,
 * rows dealt out in blocks, b = A * (1, 2, 3, 1, 2, ...). In every iteration two reductions of 8 bytes over
 * all ranks, and a row exchanged with each neighbour.
 *
 *     mpirun -n 4 cg 64 */

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int side, rows, me, ranks;

/* A vector of the rows of this rank, with the row above and the row below. */
static double *vector(void) {
    return calloc((size_t)(rows + 2) * (size_t)side, sizeof(double));
}

static void exchange(double *x) {
    int above = me > 0 ? me - 1 : MPI_PROC_NULL, below = me < ranks - 1 ? me + 1 : MPI_PROC_NULL;
    double *last = x + (size_t)rows * (size_t)side;
    MPI_Sendrecv(x + side, side, MPI_DOUBLE, above, 0, last + side, side, MPI_DOUBLE, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, side, MPI_DOUBLE, below, 1, x, side, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void multiply(double *x, double *y) {
    exchange(x);
    for (int r = 1; r <= rows; r++) {
        double *at = x + (size_t)r * (size_t)side, *to = y + (size_t)r * (size_t)side;
        for (int c = 0; c < side; c++)
            to[c] = 4 * at[c] - at[c - side] - at[c + side] - (c > 0 ? at[c - 1] : 0) -
                    (c < side - 1 ? at[c + 1] : 0);
    }
}

static double dot(const double *x, const double *y) {
    double mine = 0, all;
    for (int i = side; i < (rows + 1) * side; i++)
        mine += x[i] * y[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static int solve(double *x, double *b, double limit, double *left) {
    double *p = vector(), *r = vector(), *ap = vector();
    int points = (rows + 2) * side, iterations = 0;
    for (int i = 0; i < points; i++)
        p[i] = r[i] = b[i];
    double rr = dot(r, r), enough = rr * limit * limit;
    while (rr > enough && iterations < 10 * side) {
        multiply(p, ap);
        double alpha = rr / dot(p, ap);
        for (int i = side; i < points - side; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        double next = dot(r, r), beta = next / rr;
        for (int i = side; i < points - side; i++)
            p[i] = r[i] + beta * p[i];
        rr = next;
        iterations++;
    }
    *left = sqrt(rr);
    free(p), free(r), free(ap);
    return iterations;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (me == 0)
        side = argc == 2 ? atoi(argv[1]) : 0;
    MPI_Bcast(&side, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (side < ranks || side > 20000) {
        if (me == 0)
            fprintf(stderr, "usage: cg SIDE, at least as many points as there are ranks, at most 20000\n");
        MPI_Finalize();
        return 2;
    }
    int first = (int)((long)side * me / ranks);
    rows = (int)((long)side * (me + 1) / ranks) - first;
    double *x = vector(), *b = vector(), *known = vector(), left, worst = 0, far;
    for (int i = side; i < (rows + 1) * side; i++)
        known[i] = 1 + (i + (first - 1) * side) % 3;
    multiply(known, b);
    int iterations = solve(x, b, 1e-10, &left);
    for (int i = side; i < (rows + 1) * side; i++)
        worst = fmax(worst, fabs(x[i] - known[i]));
    MPI_Reduce(&worst, &far, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    double size = sqrt(dot(x, x));
    if (me == 0)
        printf("%d x %d points, %d iterations, residual %.17g, solution %.17g, off by at most %.3g\n", side,
               side, iterations, left, size, far);
    free(x), free(b), free(known);
    MPI_Finalize();
    return 0;
}

/* A flame on a plate: heat flows between the cells, and those that are hot enough burn. The ranks share the
 * rows, the same number each, so those whose rows burn have more to do than the others:
 * docs/guides/who-waits.md finds out which. With the argument `even` a rank gets as many rows as it takes for
 * an equal share of the work.
 *
 *     mpicc -O2 -g flame.c -o flame -lm
 *     unisono run -n 4 --stats ./flame [even] */

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 240, COLUMNS = 400, STEPS = 300, CHECKS = 10, FLAME = 130, WIDTH = 50, BURNING = 12 };

/* The work of a row, in that of one that does not burn. */
static int work_of(int row) {
    return row >= FLAME && row < FLAME + WIDTH ? BURNING : 1;
}

/* The first row of a rank, of so many. */
static int first_row(int rank, int size, int even) {
    int row = 0, all = 0, sum = 0;
    if (!even)
        return rank * ROWS / size;
    for (int r = 0; r < ROWS; r++)
        all += work_of(r);
    while (row < ROWS && sum * size < rank * all)
        sum += work_of(row++);
    return row;
}

/* The heat that a cell makes: the reaction goes on in steps of its own. */
static double burn(double heat, int steps) {
    for (int i = 0; i < steps; i++)
        heat += 1e-3 * exp(-1 / (heat + 0.1));
    return heat;
}

static void step(double (*now)[COLUMNS], double (*next)[COLUMNS], int rows, int first) {
    for (int r = 1; r <= rows; r++)
        for (int c = 1; c < COLUMNS - 1; c++) {
            double flow = now[r - 1][c] + now[r + 1][c] + now[r][c - 1] + now[r][c + 1] - 4 * now[r][c];
            next[r][c] = burn(now[r][c] + 0.2 * flow, work_of(first + r - 1));
        }
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int even = argc > 1 && strcmp(argv[1], "even") == 0;
    int first = first_row(rank, size, even), rows = first_row(rank + 1, size, even) - first;
    int above = rank ? rank - 1 : MPI_PROC_NULL, below = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    double(*now)[COLUMNS] = calloc((size_t)rows + 2, sizeof *now),
    (*next)[COLUMNS] = calloc((size_t)rows + 2, sizeof *next);
    double sum = 0, all = 0;
    for (int i = 0; i < STEPS; i++) {
        MPI_Sendrecv(now[1], COLUMNS, MPI_DOUBLE, above, 0, now[rows + 1], COLUMNS, MPI_DOUBLE, below, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(now[rows], COLUMNS, MPI_DOUBLE, below, 0, now[0], COLUMNS, MPI_DOUBLE, above, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        step(now, next, rows, first);
        double(*other)[COLUMNS] = now;
        now = next;
        next = other;
        if (i % CHECKS)
            continue;
        sum = 0;
        for (int r = 1; r <= rows; r++)
            for (int c = 0; c < COLUMNS; c++)
                sum += now[r][c];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("the heat of the plate after %d steps: %.6f\n", STEPS, all);
    free(now);
    free(next);
    MPI_Finalize();
    return 0;
}

/* Heat in a square plate whose rim is cold, on a regular grid of size x size points: each iteration replaces
 * the temperature of every point by the mean of its four neighbours (Jacobi's method). The ranks are a
 * Cartesian grid; each gets a row or column of points from every neighbour, and the greatest change of
 * all ranks. Nothing depends on the order of additions between ranks, so that the result must be the serial
 * one's, bit by bit. */

#include <math.h>
#include <mpi.h>
#include <string.h>

#include "rank.h"
#include "solver.h"

/* A block of points with a rim of one point around it. */
struct block {
    long rows, columns; /* without the rim */
    double *at, *next;
};

static struct block mine, whole;
static long row, column; /* of the whole grid, where this rank's block begins */
static double expected;  /* change in the last iteration */
static MPI_Comm grid;
static MPI_Datatype in_column;
static int north, south, west, east;

static long width(const struct block *b) {
    return b->columns + 2;
}

static void make_block(struct block *b, long rows, long columns) {
    b->rows = rows, b->columns = columns;
    b->at = room((rows + 2) * (columns + 2), sizeof *b->at);
    b->next = room((rows + 2) * (columns + 2), sizeof *b->next);
}

/* Hot in the middle, in a pattern without symmetries; cold at the rim. */
static void heat(struct block *b, long first_row, long first_column) {
    memset(b->at, 0, (size_t)((b->rows + 2) * width(b)) * sizeof *b->at);
    memset(b->next, 0, (size_t)((b->rows + 2) * width(b)) * sizeof *b->at);
    for (long i = 0; i < b->rows; i++)
        for (long j = 0; j < b->columns; j++)
            b->at[(i + 1) * width(b) + j + 1] =
                (double)(((i + first_row) * 37 + (j + first_column) * 11) % 101);
}

/* Do one iteration on a block whose rim is there. Returns the greatest change. */
static double relax(struct block *b) {
    long w = width(b);
    double most = 0;
    for (long i = 1; i <= b->rows; i++) {
        const double *restrict at = b->at + i * w;
        double *restrict next = b->next + i * w;
        for (long j = 1; j <= b->columns; j++) {
            next[j] = 0.25 * (at[j - w] + at[j + w] + at[j - 1] + at[j + 1]);
            double change = fabs(next[j] - at[j]);
            most = change > most ? change : most;
        }
    }
    double *old = b->at;
    b->at = b->next;
    b->next = old;
    return most;
}

/* The points beside this rank's block. */
static void exchange(void) {
    long w = width(&mine), rows = mine.rows, columns = mine.columns;
    double *at = mine.at;
    MPI_Request request[8];
    MPI_Irecv(at + 1, (int)columns, MPI_DOUBLE, north, 0, grid, &request[0]);
    MPI_Irecv(at + (rows + 1) * w + 1, (int)columns, MPI_DOUBLE, south, 1, grid, &request[1]);
    MPI_Irecv(at + w, 1, in_column, west, 2, grid, &request[2]);
    MPI_Irecv(at + w + columns + 1, 1, in_column, east, 3, grid, &request[3]);
    MPI_Isend(at + rows * w + 1, (int)columns, MPI_DOUBLE, south, 0, grid, &request[4]);
    MPI_Isend(at + w + 1, (int)columns, MPI_DOUBLE, north, 1, grid, &request[5]);
    MPI_Isend(at + w + columns, 1, in_column, east, 2, grid, &request[6]);
    MPI_Isend(at + w + 1, 1, in_column, west, 3, grid, &request[7]);
    MPI_Waitall(8, request, MPI_STATUSES_IGNORE);
}

void solver_make(long size) {
    int dims[2] = {0, 0}, periods[2] = {0, 0}, place[2];
    MPI_Dims_create(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Comm_rank(grid, &me);
    MPI_Cart_coords(grid, me, 2, place);
    MPI_Cart_shift(grid, 0, 1, &north, &south);
    MPI_Cart_shift(grid, 1, 1, &west, &east);
    row = size * place[0] / dims[0];
    column = size * place[1] / dims[1];
    make_block(&mine, size * (place[0] + 1) / dims[0] - row, size * (place[1] + 1) / dims[1] - column);
    make_block(&whole, size, size);
    MPI_Type_vector((int)mine.rows, 1, (int)width(&mine), MPI_DOUBLE, &in_column);
    MPI_Type_commit(&in_column);
}

void solver_expect(long iterations) {
    heat(&whole, 0, 0);
    while (iterations--)
        expected = relax(&whole);
}

void solver_begin(void) {
    heat(&mine, row, column);
}

double solver_run(long iterations) {
    double change, most = 0;
    while (iterations--) {
        if (!alone)
            exchange();
        change = most = relax(&mine);
        if (!alone)
            MPI_Allreduce(&change, &most, 1, MPI_DOUBLE, MPI_MAX, grid);
    }
    return most;
}

bool solver_is_right(double residual) {
    bool right = residual == expected;
    for (long i = 1; i <= mine.rows && right; i++)
        right = !memcmp(mine.at + i * width(&mine) + 1, whole.at + (i + row) * width(&whole) + column + 1,
                        (size_t)mine.columns * sizeof *mine.at);
    return right;
}

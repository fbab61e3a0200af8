/* jacobi ROWS COLUMNS SWEEPS: Jacobi's method for Laplace's equation on a grid whose first row is 1 and whose
 * other edges are 0. Each PE has as many rows as the others, or one more, and sends its outer ones to its
 * neighbours before each sweep. The last PE prints a checksum of the bits of all rows, which is the same for
 * any number of PEs. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"

static int columns;

static float *row_of(float *grid, int row) {
    return grid + (size_t)row * (size_t)columns;
}

static void send_row(int to, const float *row) {
    talk_send(to, (const uint32_t *)(const void *)row, columns);
}

static void receive_row(int from, float *row) {
    talk_receive(from, (uint32_t *)(void *)row, columns);
}

/* Exchange the rows at the edges of this PE's, which are 1 to `rows`; rows 0 and rows + 1 are its
 * neighbours'. Even PEs send first. */
static void exchange(float *grid, int rows, int me, int n) {
    for (int step = 0; step < 2; step++) {
        int down = (me + step) % 2 == 0; /* with the PE behind it, or with the one before */
        int other = down ? me + 1 : me - 1;
        if (other < 0 || other >= n)
            continue;
        if (me % 2 == 0)
            send_row(other, row_of(grid, down ? rows : 1));
        receive_row(other, row_of(grid, down ? rows + 1 : 0));
        if (me % 2)
            send_row(other, row_of(grid, down ? rows : 1));
    }
}

static void sweep(float *to, const float *from, int rows) {
    for (int i = 1; i <= rows; i++) {
        const float *up = from + (size_t)(i - 1) * (size_t)columns, *here = up + columns,
                    *down = here + columns;
        float *row = row_of(to, i);
        for (int j = 1; j < columns - 1; j++)
            row[j] = 0.25F * (up[j] + down[j] + here[j - 1] + here[j + 1]);
    }
}

static uint32_t checksum(const float *grid, int rows, uint32_t sum) {
    const uint32_t *word = (const uint32_t *)(const void *)(grid + columns);
    for (size_t i = 0; i < (size_t)rows * (size_t)columns; i++)
        sum = sum * 31 + word[i];
    return sum;
}

int main(int argc, char **argv) {
    talk_open(&argc, &argv);
    int all = argc > 1 ? atoi(argv[1]) : 0, sweeps = argc > 3 ? atoi(argv[3]) : 0, me = talk_me(),
        n = talk_pes();
    columns = argc > 2 ? atoi(argv[2]) : 0;
    if (all < n || columns < 3 || sweeps < 1) {
        fprintf(stderr,
                "usage: jacobi ROWS COLUMNS SWEEPS, with a row or more for each PE, and 3 columns or more\n");
        return 2;
    }
    int rows = (all * (me + 1)) / n - (all * me) / n;
    size_t size = (size_t)(rows + 2) * (size_t)columns;
    float *grid[2] = {calloc(size, sizeof(float)), calloc(size, sizeof(float))};
    if (!grid[0] || !grid[1])
        return 3;
    for (int g = 0; g < 2 && me == 0; g++)
        for (int j = 0; j < columns; j++)
            grid[g][j] = 1;
    for (int i = 0; i < sweeps; i++) {
        exchange(grid[i % 2], rows, me, n);
        sweep(grid[1 - i % 2], grid[i % 2], rows);
    }
    uint32_t sum = 0; /* which goes from PE to PE */
    if (me)
        talk_receive(me - 1, &sum, 1);
    sum = checksum(grid[sweeps % 2], rows, sum);
    if (me < n - 1)
        talk_send(me + 1, &sum, 1);
    else
        printf("jacobi: %d rows of %d, %d sweeps: %08x\n", all, columns, sweeps, (unsigned)sum);
    talk_close();
    return 0;
}

/* The temperature of a plate whose upper edge is hot, by Jacobi's method: every point becomes the mean of its
 * four neighbours, until no PE sees a change of more than a tolerance, the argument. The rows are divided
 * among the PEs. Where two PEs border, a row goes over value by value: an operation carries 8 bytes and has
 * no set-up cost. */

#include <papers.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 16, ROWS = 32, WORDS = 1024 / 64 }; /* WORDS of a mask for any number of PEs */
typedef double row[COLUMNS + 2];                     /* with a cold point on either side */
static const double HOT = 100;

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Solve by the current group, of consecutive PEs. Returns this PE's rows, from 1 on, between two halo rows.
 */
static row *solve(int rows, double tolerance, int show) {
    int me = p_enumerate(), n = p_population(), mine = rows * (me + 1) / n - rows * me / n, more = 1;
    row *old = calloc((size_t)mine + 2, sizeof(row)), *new = calloc((size_t)mine + 2, sizeof(row));
    if (!old || !new)
        p_error("jacobi: out of memory");
    double start = now(), communicating = 0;
    for (int sweep = 1; more; sweep++) {
        double change = 0, before = now();
        for (int j = 1; j <= COLUMNS; j++) {
            double above = p_putgetd(old[mine][j], p_iproc() - (me > 0));
            double below = p_putgetd(old[1][j], p_iproc() + (me < n - 1));
            old[0][j] = me > 0 ? above : HOT;
            old[mine + 1][j] = me < n - 1 ? below : 0;
        }
        communicating += now() - before;
        for (int i = 1; i <= mine; i++)
            for (int j = 1; j <= COLUMNS; j++) {
                new[i][j] = (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]) / 4;
                change = fmax(change, fabs(new[i][j] - old[i][j]));
            }
        row *swap = old;
        old = new, new = swap;
        before = now();
        more = p_any(change > tolerance);
        communicating += now() - before;
        if (show && (sweep % 100 == 1 || !more)) {
            double residual = p_reduceMaxd(change), bar = 1 + 8 * log10(fmax(1, residual / tolerance));
            if (me == 0)
                printf("sweep %4d  residual %9.6f  %.*s\n", sweep, residual, (int)bar,
                       "########################################");
        }
    }
    double total = p_reduceAddd(now() - start), share = p_reduceAddd(communicating) / total;
    if (show && me == 0)
        printf("%d PEs, %.1f ms, %.0f%% of it communicating and waiting\n", n, 1e3 * total / n, 100 * share);
    free(new);
    return old;
}

int main(int argc, char **argv) {
    p_init();
    double tolerance = argc > 1 ? strtod(argv[1], NULL) : 1e-3;
    int me = p_iproc(), n = p_nproc(), rows = n > ROWS ? n : ROWS, lower = rows * me / n;
    row *part = solve(rows, tolerance, 1);

    /* Every PE for itself, as a group of one, and the same bits come out. */
    uint64_t all[WORDS], alone[WORDS] = {0};
    p_waitvecWide(all, 1);
    alone[me / 64] = (uint64_t)1 << (me % 64);
    p_enqueueWide(alone);
    row *whole = solve(rows, tolerance, 0);
    p_enqueueWide(all);
    size_t size = (size_t)(rows * (me + 1) / n - lower) * sizeof(row);
    int same = p_all(memcmp(part[1], whole[lower + 1], size) == 0);
    if (me == 0)
        printf("%s to the result of one PE\n", same ? "equal, bit for bit," : "NOT equal");
    free(part), free(whole);
    return p_exit(!same);
}

/* A discrete Fourier transform in two dimensions, of a matrix with the given numbers of rows and columns.
 * Every PE has some of the rows, and FFTW transforms each. p_allToAllStrided gives every PE some of the
 * columns instead, which it transforms too, and then its rows again. The result is compared with its
 * definition, a sum, at a few points, and checked by Parseval's theorem. */

#include <complex.h>
#include <exchange.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 1 << 15, SUMMANDS = 1 << 24 }; /* rows or columns; what each PE adds up to compare */
static const double TOLERANCE = 1e-12;       /* of the mean size of a point of the result */

/* The matrix, and this PE's part of it. The last PEs may have fewer rows or columns, or none; the exchange
 * treats all PEs as if they had `height` and `width` of them. */
struct matrix {
    int rows, columns, n, height, width;
    int first_row, my_rows, my_columns;
    double complex *by_rows;    /* `height` rows of n * width points */
    double complex *by_columns; /* n * height rows of `width` points */
};

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Return the point of the input in this row and column: real and imaginary part from -1 to 1, by
 * splitmix64. */
static double complex input(int row, int column) {
    uint64_t z = ((uint64_t)row * MOST + (uint64_t)column + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return (double)(int32_t)z * 0x1p-31 + I * ((double)(int32_t)(z >> 32) * 0x1p-31);
}

/* Return how many of `count` items PE `me` has, if each PE has `share` of them and the last ones what is
 * left. */
static int part(int count, int share, int me) {
    int left = count - me * share;
    return left < 0 ? 0 : left < share ? left : share;
}

/* Allocate this PE's part of the matrix, in memory of its own: PEs of one machine exchange faster what lies
 * in an array from p_alloc, but those of several machines share none. */
static double complex *take(const struct matrix *m) {
    double complex *mine = calloc((size_t)m->n * (size_t)m->height * (size_t)m->width, sizeof *mine);
    if (!mine)
        p_error("fft: not enough memory; fewer rows or columns take less");
    return mine;
}

static struct matrix make(int rows, int columns) {
    struct matrix m = {.rows = rows, .columns = columns, .n = p_nproc()};
    m.height = (rows + m.n - 1) / m.n;
    m.width = (columns + m.n - 1) / m.n;
    m.first_row = p_iproc() * m.height;
    m.my_rows = part(rows, m.height, p_iproc());
    m.my_columns = part(columns, m.width, p_iproc());
    m.by_rows = take(&m);
    m.by_columns = take(&m);
    for (int i = 0; i < m.my_rows; i++)
        for (int c = 0; c < columns; c++)
            m.by_rows[(size_t)i * (size_t)(m.n * m.width) + (size_t)c] = input(m.first_row + i, c);
    return m;
}

/* Plan the transform of `count` lines of `length` points, in place. point and line: distances between points
 * and between lines. */
static fftw_plan plan(double complex *data, int count, int length, int point, int line) {
    return fftw_plan_many_dft(1, &length, count, data, NULL, point, line, data, NULL, point, line,
                              FFTW_FORWARD, FFTW_ESTIMATE);
}

/* Transform the matrix. Returns the seconds of the exchanges. */
static double transform(const struct matrix *m, fftw_plan rows, fftw_plan columns) {
    size_t height = (size_t)m->height, bytes = (size_t)m->width * sizeof *m->by_rows;
    /* The block for a PE is its columns of the rows here; it comes to lie below those of the PEs before. */
    struct p_stride side_by_side = {.block = bytes, .row = (size_t)m->n * bytes};
    struct p_stride below = {.block = height * bytes, .row = bytes};
    if (m->my_rows)
        fftw_execute(rows);
    double t0 = now();
    p_allToAllStrided(m->by_columns, below, m->by_rows, side_by_side, height, bytes);
    double t1 = now();
    if (m->my_columns)
        fftw_execute(columns);
    double t2 = now();
    p_allToAllStrided(m->by_rows, side_by_side, m->by_columns, below, height, bytes);
    return t1 - t0 + now() - t2;
}

/* ---- comparison --------------------------------------------------------------------------------------- */

/* Return the n-th roots of unity, as the transform uses them. */
static double complex *roots(int n) {
    double complex *root = malloc((size_t)n * sizeof *root);
    if (!root)
        p_error("fft: out of memory");
    for (int k = 0; k < n; k++)
        root[k] = cexp(-2 * I * acos(-1) * k / n);
    return root;
}

/* Return point (u, v) of the result, by definition. */
static double complex definition(const struct matrix *m, const double complex *row_root,
                                 const double complex *column_root, int u, int v) {
    double complex sum = 0;
    for (int r = 0; r < m->rows; r++) {
        double complex of_row = 0;
        for (int c = 0; c < m->columns; c++)
            of_row += input(r, c) * column_root[(int64_t)v * c % m->columns];
        sum += of_row * row_root[(int64_t)u * r % m->rows];
    }
    return sum;
}

/* Return the sum of the squares of this PE's points: of the input, or of the result. */
static double energy(const struct matrix *m, int of_input) {
    double sum = 0;
    for (int i = 0; i < m->my_rows; i++)
        for (int c = 0; c < m->columns; c++) {
            double complex x = of_input ? input(m->first_row + i, c)
                                        : m->by_rows[(size_t)i * (size_t)(m->n * m->width) + (size_t)c];
            sum += creal(x) * creal(x) + cimag(x) * cimag(x);
        }
    return sum;
}

/* Return 1 if the result is correct. */
static int compare(const struct matrix *m) {
    double complex *row_root = roots(m->rows), *column_root = roots(m->columns);
    int64_t all = (int64_t)m->rows * m->columns, mine = (int64_t)m->my_rows * m->columns,
            step = mine * all / SUMMANDS + 1;
    double before = p_reduceAddd(energy(m, 1)), after = p_reduceAddd(energy(m, 0)) / (double)all;
    double size = sqrt(before), error = 0;
    for (int64_t i = step / 3; i < mine; i += step) {
        int row = (int)(i / m->columns), column = (int)(i % m->columns);
        double complex found = m->by_rows[(size_t)row * (size_t)(m->n * m->width) + (size_t)column];
        error = fmax(error, cabs(found - definition(m, row_root, column_root, m->first_row + row, column)));
    }
    free(row_root), free(column_root);
    double largest = p_reduceMaxd(error) / size, parseval = fabs(after - before) / before;
    int64_t points = p_reduceAdd64((mine - step / 3 + step - 1) / step);
    int same = p_all(largest < TOLERANCE && parseval < TOLERANCE);
    if (p_iproc() == 0)
        printf(
            "Parseval's sums differ by %.0e, and %lld points by %.0e of their mean size at most: %s to the "
            "definition\n",
            parseval, (long long)points, largest, same ? "equal" : "NOT equal");
    return same;
}

static int number(const char *text) {
    char *rest;
    long value = strtol(text, &rest, 10);
    if (*rest || value < 1 || value > MOST)
        p_error("fft: give the number of rows and that of columns, each from 1 to 32768");
    return (int)value;
}

int main(int argc, char **argv) {
    p_init();
    struct matrix m = make(argc > 1 ? number(argv[1]) : 1000, argc > 2 ? number(argv[2]) : 600);
    fftw_plan rows = plan(m.by_rows, m.my_rows, m.columns, 1, m.n * m.width);
    fftw_plan columns = plan(m.by_columns, m.my_columns, m.rows, m.width, 1);
    p_wait();
    double start = now(), exchanges = transform(&m, rows, columns);
    double seconds = p_reduceMaxd(now() - start), share = p_reduceMaxd(exchanges) / seconds;
    if (p_iproc() == 0)
        printf("%d x %d points, %d PEs: %.2f ms, %.0f%% of it exchanging and waiting\n", m.rows, m.columns,
               m.n, 1e3 * seconds, 100 * share);
    fftw_destroy_plan(rows), fftw_destroy_plan(columns);
    int same = compare(&m);
    free(m.by_rows), free(m.by_columns);
    return p_exit(!same);
}

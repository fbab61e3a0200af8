/* The programs of the paper about rMPI, as programs that use MPI are written: neighbours exchange rows by
 * MPI_Sendrecv, matrices go out by MPI_Bcast and MPI_Scatter and come back by MPI_Gather, the trapezoids by
 * messages to and from rank 0, and pi by MPI_Bcast and MPI_Reduce. */

#include "mpi_programs.h"

#include <mpi.h>

#include "programs/programs.h"

#define WORLD MPI_COMM_WORLD

void mpi_jacobi(const struct bench_work *w) {
    const struct field *f = w->field;
    int above = w->me > 0 ? w->me - 1 : MPI_PROC_NULL, below = w->me + 1 < w->n ? w->me + 1 : MPI_PROC_NULL;
    for (int i = 0; i < w->count; i++) {
        int which = (w->before + i) & 1;
        MPI_Sendrecv(field_row(f, which, 1), f->edge, MPI_FLOAT, above, 0, field_row(f, which, f->rows + 1),
                     f->edge, MPI_FLOAT, below, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(field_row(f, which, f->rows), f->edge, MPI_FLOAT, below, 0, field_row(f, which, 0),
                     f->edge, MPI_FLOAT, above, 0, WORLD, MPI_STATUS_IGNORE);
        field_sweep(f, which);
    }
    if (w->after == 0)
        MPI_Barrier(WORLD); /* as end_turn() of mpi.c */
}

void mpi_product(const struct bench_work *w) {
    const struct product *p = w->product;
    int all = p->edge * p->edge, share = p->rows * p->edge;
    for (int i = 0; i < w->count; i++) {
        MPI_Bcast(p->b, all, MPI_FLOAT, 0, WORLD);
        MPI_Scatter(product_factor(p, w->before + i), share, MPI_FLOAT, p->my_a, share, MPI_FLOAT, 0, WORLD);
        product_rows(p->my_c, p->my_a, p->b, p->rows, p->edge);
        MPI_Gather(p->my_c, share, MPI_FLOAT, p->c, share, MPI_FLOAT, 0, WORLD);
    }
}

void mpi_trapezoid(const struct bench_work *w) {
    const double *in = w->in;
    double *out = w->out, end, part;
    long count = (long)w->bytes;
    for (int i = 0; i < w->count; i++) {
        end = in[i];
        for (int k = 1; w->me == 0 && k < w->n; k++)
            MPI_Send(&end, 1, MPI_DOUBLE, k, 0, WORLD);
        if (w->me)
            MPI_Recv(&end, 1, MPI_DOUBLE, 0, 0, WORLD, MPI_STATUS_IGNORE);
        part = integral_trapezoids(end, count, interval_first(count, w->me, w->n),
                                   interval_first(count, w->me + 1, w->n));
        if (w->me)
            MPI_Send(&part, 1, MPI_DOUBLE, 0, 0, WORLD);
        out[i] = part;
        for (int k = 1; w->me == 0 && k < w->n; k++) {
            MPI_Recv(&part, 1, MPI_DOUBLE, k, 0, WORLD, MPI_STATUS_IGNORE);
            out[i] += part;
        }
    }
}

void mpi_pi(const struct bench_work *w) {
    const double *in = w->in;
    double *out = w->out;
    for (int i = 0; i < w->count; i++) {
        long count = w->me ? 0 : (long)in[i];
        MPI_Bcast(&count, 1, MPI_LONG, 0, WORLD);
        double part =
            integral_pi(count, interval_first(count, w->me, w->n), interval_first(count, w->me + 1, w->n));
        MPI_Reduce(&part, &out[i], 1, MPI_DOUBLE, MPI_SUM, 0, WORLD);
    }
}

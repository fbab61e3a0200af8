#include "alone.h"

#include "programs/programs.h"

void alone_jacobi(const struct bench_work *w) {
    for (int i = 0; w->me == 0 && i < w->count; i++)
        field_sweep(w->field, (w->before + i) & 1);
}

void alone_product(const struct bench_work *w) {
    const struct product *p = w->product;
    for (int i = 0; w->me == 0 && i < w->count; i++)
        product_rows(p->c, product_factor(p, w->before + i), p->b, p->edge, p->edge);
}

void alone_trapezoid(const struct bench_work *w) {
    const double *in = w->in;
    double *out = w->out;
    for (int i = 0; w->me == 0 && i < w->count; i++)
        out[i] = integral_trapezoids(in[i], (long)w->bytes, 0, (long)w->bytes);
}

void alone_pi(const struct bench_work *w) {
    const double *in = w->in;
    double *out = w->out;
    for (int i = 0; w->me == 0 && i < w->count; i++)
        out[i] = integral_pi((long)in[i], 0, (long)in[i]);
}

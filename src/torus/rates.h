/* The speed of an all-to-all on a torus: in phases that end together, or without phases. */

#ifndef UNO_TORUS_RATES_H
#define UNO_TORUS_RATES_H

#include <stdbool.h>

#include "schedule.h"

enum { UNO_TORUS_BINS = 64 }; /* bins of a histogram, equally wide, from 0 to the cap */

struct uno_torus_phase {
    double load; /* transfers on the busiest link, responses counted as a part of one */
    int link;    /* the number of that link; -1 if no link is used */
    double rate; /* rate of the slowest transfer */
};

struct uno_rates {
    int phases; /* 0: there were none */
    struct uno_torus_phase *phase;
    double rate;                      /* a PE's bytes by the time until the last transfer has ended */
    double mean;                      /* the mean of the rates of all transfers */
    double load;                      /* without phases: transfers on the busiest link, on average */
    double transfers[UNO_TORUS_BINS]; /* the share of the transfers with such a rate */
    double ends[UNO_TORUS_BINS];      /* the share of the phases in which the slowest has such a rate */
};

/* Return the bin of a rate. */
int uno_torus_bin(const struct uno_torus *t, double rate);

/* Compute the load of each link, in transfers, in one phase. A response takes the route back, and counts by
 * its size. `load` has room for uno_torus_links doubles. */
void uno_torus_load(const struct uno_torus *t, const struct uno_torus_schedule *s, int phase, double *load);

/* Compute the rates with phases: each ends with its slowest transfer, which shares the busiest link. Returns
 * false if memory is short. */
bool uno_torus_phased(const struct uno_torus *t, const struct uno_torus_schedule *s, struct uno_rates *rates);

/* Compute the rates without phases: every PE sends to all in an order of its own. Returns false if memory is
 * short. */
bool uno_torus_unphased(const struct uno_torus *t, struct uno_rates *rates);

void uno_torus_release(struct uno_rates *rates);

#endif

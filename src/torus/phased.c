#include "rates.h"

#include <stdlib.h>
#include <string.h>

int uno_torus_bin(const struct uno_torus *t, double rate) {
    int bin = (int)(rate / t->cap * UNO_TORUS_BINS);
    return bin < UNO_TORUS_BINS ? bin : UNO_TORUS_BINS - 1;
}

static void add(const struct uno_torus *t, int from, int to, double weight, double *load) {
    int links[UNO_TORUS_HOPS];
    int hops = uno_torus_route(t, from / t->pes, to / t->pes, links);
    for (int i = 0; i < hops; i++)
        load[links[i]] += weight;
}

void uno_torus_load(const struct uno_torus *t, const struct uno_torus_schedule *s, int phase, double *load) {
    memset(load, 0, (size_t)uno_torus_links(t) * sizeof *load);
    for (int pe = 0; pe < uno_torus_pes(t); pe++) {
        int to = s->to(t, phase, pe);
        add(t, pe, to, 1, load);
        if (t->response > 0)
            add(t, to, pe, t->response, load);
    }
}

/* Return the rate of a transfer where `load` transfers share a link fairly. */
static double share(const struct uno_torus *t, double load) {
    double all = t->link * t->payload;
    return all < load * t->cap ? all / load : t->cap;
}

static struct uno_torus_phase slowest(const struct uno_torus *t, const double *load) {
    struct uno_torus_phase phase = {.link = -1};
    for (int link = 0; link < uno_torus_links(t); link++)
        if (load[link] > phase.load) {
            phase.load = load[link];
            phase.link = link;
        }
    phase.rate = share(t, phase.load);
    return phase;
}

/* Add the rates of the transfers of one phase, each given by the busiest link of its route. Return their
 * sum. */
static double count_transfers(const struct uno_torus *t, const struct uno_torus_schedule *s, int phase,
                              const double *load, double *bins) {
    int links[UNO_TORUS_HOPS];
    double sum = 0;
    for (int pe = 0; pe < uno_torus_pes(t); pe++) {
        double most = 0;
        int hops = uno_torus_route(t, pe / t->pes, s->to(t, phase, pe) / t->pes, links);
        for (int i = 0; i < hops; i++)
            most = load[links[i]] > most ? load[links[i]] : most;
        double rate = share(t, most);
        bins[uno_torus_bin(t, rate)]++;
        sum += rate;
    }
    return sum;
}

bool uno_torus_phased(const struct uno_torus *t, const struct uno_torus_schedule *s,
                      struct uno_rates *rates) {
    int pes = uno_torus_pes(t);
    *rates = (struct uno_rates){.phases = pes, .phase = calloc((size_t)pes, sizeof *rates->phase)};
    double *load = calloc((size_t)uno_torus_links(t), sizeof *load);
    if (!load || !rates->phase) {
        free(load);
        uno_torus_release(rates);
        return false;
    }
    double time = 0, sum = 0; /* the time in which each PE sends 1 MB in every phase */
    for (int i = 0; i < pes; i++) {
        uno_torus_load(t, s, i, load);
        rates->phase[i] = slowest(t, load);
        time += 1 / rates->phase[i].rate;
        sum += count_transfers(t, s, i, load, rates->transfers);
        rates->ends[uno_torus_bin(t, rates->phase[i].rate)] += 1.0 / pes;
    }
    for (int bin = 0; bin < UNO_TORUS_BINS; bin++)
        rates->transfers[bin] /= (double)pes * pes;
    rates->rate = pes / time;
    rates->mean = sum / pes / pes;
    free(load);
    return true;
}

void uno_torus_release(struct uno_rates *rates) {
    free(rates->phase);
    rates->phase = NULL;
}

/* Random tori, routing tables and schedules: what must hold of all of them. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "torus/rates.h"

enum { TORI = 120, SMALL = 200 }; /* PEs at most */

static struct uno_torus draw(struct rng *r) {
    struct uno_torus t = {.link = 300, .payload = 0.5, .cap = 60};
    do {
        t.dimensions = 1 + rng_below(r, UNO_TORUS_DIMENSIONS);
        t.pes = 1 + rng_below(r, 3);
        for (int d = 0; d < t.dimensions; d++) {
            t.side[d] = 1 + rng_below(r, 9);
            t.order[d] = d;
        }
    } while (uno_torus_pes(&t) > SMALL);
    for (int d = t.dimensions - 1; d > 0; d--) {
        int other = rng_below(r, d + 1), kept = t.order[d];
        t.order[d] = t.order[other];
        t.order[other] = kept;
    }
    t.ties = (enum uno_torus_ties)rng_below(r, 3);
    t.distance = (enum uno_torus_distance)rng_below(r, 2);
    t.corner = (enum uno_torus_corner)rng_below(r, 2);
    t.service_dimension = rng_below(r, t.dimensions);
    t.service_nodes = rng_below(r, 3);
    t.service_rings = rng_below(r, 4);
    t.response = rng_below(r, 3) * 0.25;
    return t;
}

/* Return the node at the end of a link. */
static int follow(const struct uno_torus *t, int link, int *dimension, int *direction) {
    int node = link / 2 / t->dimensions, nodes = 1;
    *dimension = link / 2 % t->dimensions;
    *direction = link % 2 ? -1 : 1;
    for (int d = 0; d < *dimension; d++)
        nodes *= t->side[d];
    int side = t->side[*dimension], x = node / nodes % side;
    return node + ((x + *direction + side) % side - x) * nodes;
}

/* A route leads link by link from one end to the other, turns round in no ring, and takes each ring once.
 * Returns the links. */
static int check_route(const struct uno_torus *t, int from, int to) {
    int links[UNO_TORUS_HOPS], node = from, least = 0;
    int way[UNO_TORUS_DIMENSIONS] = {0}, last = -1, hops = uno_torus_route(t, from, to, links);
    for (int i = 0; i < hops; i++) {
        int d, direction;
        CHECK_INT(node, links[i] / 2 / t->dimensions);
        node = follow(t, links[i], &d, &direction);
        CHECK(d == last || way[d] == 0);
        CHECK(way[d] == 0 || way[d] == direction);
        way[d] = direction;
        last = d;
    }
    CHECK_INT(to, node);
    for (int d = 0; d < t->dimensions; d++) {
        int apart = abs(uno_torus_coordinate(t, from, d) - uno_torus_coordinate(t, to, d));
        least += apart < t->side[d] - apart ? apart : t->side[d] - apart;
    }
    if (t->distance == UNO_DISTANCE_COMPUTE)
        CHECK_INT(least, hops);
    CHECK(hops >= least);
    return hops;
}

/* An erroneous corner makes no route longer. */
static void check_routes(const struct uno_torus *t) {
    struct uno_torus other = *t;
    other.corner = UNO_CORNER_CORRECT;
    for (int from = 0; from < uno_torus_nodes(t); from++)
        for (int to = 0; to < uno_torus_nodes(t); to++)
            CHECK_INT(check_route(&other, from, to), check_route(t, from, to));
}

/* Every phase is a permutation, all of them reach everybody once, and every link of every route counts once.
 */
static void check_schedule(const struct uno_torus *t, const struct uno_torus_schedule *s) {
    static bool met[SMALL][SMALL];
    int pes = uno_torus_pes(t), count = uno_torus_links(t), links[UNO_TORUS_HOPS];
    double *load = malloc((size_t)count * sizeof *load), all = 0, hops = 0;
    memset(met, 0, sizeof met);
    for (int phase = 0; phase < pes; phase++) {
        bool received[SMALL] = {false};
        double here = 0, most = 0;
        for (int pe = 0; pe < pes; pe++) {
            int to = s->to(t, phase, pe);
            CHECK(to >= 0 && to < pes && !received[to] && !met[pe][to]);
            received[to] = met[pe][to] = true;
            hops += uno_torus_route(t, pe / t->pes, to / t->pes, links);
            hops += t->response * uno_torus_route(t, to / t->pes, pe / t->pes, links);
        }
        uno_torus_load(t, s, phase, load);
        for (int link = 0; link < count; link++) {
            here += load[link];
            most = fmax(most, load[link]);
        }
        all += here;
        CHECK(most <= pes * (1 + t->response));
    }
    CHECK(fabs(all - hops) < 1e-6 * (1 + hops));
    free(load);
}

/* The rates are between what the busiest link of all, and what no link, would leave; each counted once. */
static void check_rates(const struct uno_torus *t, const struct uno_torus_schedule *s) {
    struct uno_rates r;
    double transfers = 0, ends = 0, time = 0, most = 0;
    CHECK(s ? uno_torus_phased(t, s, &r) : uno_torus_unphased(t, &r));
    for (int bin = 0; bin < UNO_TORUS_BINS; bin++) {
        transfers += r.transfers[bin];
        ends += r.ends[bin];
    }
    CHECK(fabs(transfers - 1) < 1e-6 && fabs(ends - (s != NULL)) < 1e-6);
    CHECK(r.rate > 0 && r.rate <= t->cap * (1 + 1e-9) && r.mean <= t->cap * (1 + 1e-9) &&
          r.rate <= r.mean * (1 + 1e-9));
    for (int i = 0; i < r.phases; i++) {
        CHECK(fabs(r.phase[i].rate - fmin(t->cap, 150 / r.phase[i].load)) < 1e-9);
        time += 1 / r.phase[i].rate;
        most = fmax(most, r.phase[i].load);
    }
    if (s)
        CHECK(fabs(r.rate * time / r.phases - 1) < 1e-9 && r.rate >= fmin(t->cap, 150 / most) * (1 - 1e-9));
    uno_torus_release(&r);
}

/* Check that without ties a shift by k and one by -k are each other's mirror image. */
static void check_mirror(struct uno_torus t) {
    for (int d = 0; d < t.dimensions; d++)
        t.side[d] -= t.side[d] % 2 == 0;
    t.service_nodes = 0;
    struct uno_rates r;
    CHECK(uno_torus_phased(&t, uno_torus_schedule_named("shift"), &r));
    for (int phase = 1; phase < r.phases; phase++)
        CHECK(r.phase[phase].load == r.phase[r.phases - phase].load);
    uno_torus_release(&r);
}

static int body(void *unused) {
    (void)unused;
    struct rng r = rng_for(test_seed(), 0, 0, 0);
    for (int i = 0; i < TORI; i++) {
        struct uno_torus t = draw(&r);
        int pes = uno_torus_pes(&t);
        check_routes(&t);
        check_rates(&t, NULL);
        check_mirror(t);
        for (int k = 0; k < uno_torus_schedule_count; k++)
            if (!uno_torus_schedules[k].power_of_2 || !(pes & (pes - 1))) {
                check_schedule(&t, &uno_torus_schedules[k]);
                check_rates(&t, &uno_torus_schedules[k]);
            }
    }
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}

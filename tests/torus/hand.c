/* Small tori, with loads computed by hand, and known figures of a large one. */

#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "torus/rates.h"

enum { UP, DOWN };

static struct uno_torus ring(int side, int pes) {
    return (struct uno_torus){
        .dimensions = 1, .side = {side}, .pes = pes, .link = 100, .payload = 1, .cap = 1000};
}

/* Check every link of a ring in one phase of a schedule; `up` and `down` are indexed by the node that a link
 * leaves. */
static void check_ring(const struct uno_torus *t, const char *schedule, int phase, const double *up,
                       const double *down) {
    double load[2 * UNO_TORUS_SIDE];
    uno_torus_load(t, uno_torus_schedule_named(schedule), phase, load);
    for (int node = 0; node < t->side[0]; node++)
        if (load[2 * node + UP] != up[node] || load[2 * node + DOWN] != down[node])
            test_fail("%s, phase %d, node %d: up %g, expected %g; down %g, expected %g", schedule, phase,
                      node, load[2 * node + UP], up[node], load[2 * node + DOWN], down[node]);
}

#define LOADS(...) ((const double[]){__VA_ARGS__})

static void rings(void) {
    struct uno_torus t = ring(4, 1);
    check_ring(&t, "shift", 0, LOADS(0, 0, 0, 0), LOADS(0, 0, 0, 0));
    check_ring(&t, "shift", 1, LOADS(1, 1, 1, 1), LOADS(0, 0, 0, 0));
    check_ring(&t, "shift", 2, LOADS(2, 2, 2, 2), LOADS(0, 0, 0, 0));
    check_ring(&t, "shift", 3, LOADS(0, 0, 0, 0), LOADS(1, 1, 1, 1));
    check_ring(&t, "xor", 1, LOADS(1, 0, 1, 0), LOADS(0, 1, 0, 1));
    check_ring(&t, "xor", 3, LOADS(0, 1, 0, 1), LOADS(1, 0, 1, 0));
    check_ring(&t, "reflected", 0, LOADS(1, 1, 1, 1), LOADS(0, 0, 0, 0)); /* 1 to 3, and 3 to 1 */
    t.ties = UNO_TIES_PARITY;                                             /* 0 and 2 go up, 1 and 3 down */
    check_ring(&t, "shift", 2, LOADS(1, 1, 1, 1), LOADS(1, 1, 1, 1));
    t.ties = UNO_TIES_QUARTERS; /* the same, since a quarter is one node */
    check_ring(&t, "shift", 2, LOADS(1, 1, 1, 1), LOADS(1, 1, 1, 1));
    t = ring(4,
             2); /* PEs 0 and 1 of a node send to the same one in phase 2, PE 1 alone leaves it in phase 1 */
    check_ring(&t, "shift", 1, LOADS(1, 1, 1, 1), LOADS(0, 0, 0, 0));
    check_ring(&t, "shift", 2, LOADS(2, 2, 2, 2), LOADS(0, 0, 0, 0));
    t.response = 0.5; /* it comes back: down, each link half as much */
    check_ring(&t, "shift", 2, LOADS(2, 2, 2, 2), LOADS(1, 1, 1, 1));
}

/* The reflected schedule, with the PEs of a node half a ring apart, is the best possible: every link always
 * has two transfers. */
static void optimum(void) {
    struct uno_torus t = ring(8, 2);
    t.ties = UNO_TIES_QUARTERS;
    for (int phase = 0; phase < 16; phase++)
        check_ring(&t, "balanced", phase, LOADS(2, 2, 2, 2, 2, 2, 2, 2), LOADS(2, 2, 2, 2, 2, 2, 2, 2));
}

/* A ring of 4 with service nodes beyond node 3. */
static void service(void) {
    struct uno_torus t = ring(4, 1);
    t.service_rings = t.service_nodes = 1;
    CHECK_INT(2, uno_torus_hops(&t, 0, 0, 2, 0));
    CHECK_INT(1, uno_torus_hops(&t, 0, 0, 3, 0));
    t.distance = UNO_DISTANCE_ABSOLUTE;
    CHECK_INT(-2, uno_torus_hops(&t, 0, 0, 2, 0)); /* 2 nodes back, and not 2 and a service node on */
    CHECK_INT(2, uno_torus_hops(&t, 0, 0, 0, 2));
    CHECK_INT(1, uno_torus_hops(&t, 0, 0, 3, 0)); /* still 2 instead of 3 */
    t.service_nodes = 3;
    CHECK_INT(-3, uno_torus_hops(&t, 0, 0, 3, 0)); /* now 4 instead of 3 */
    t.service_rings = 0;
    CHECK_INT(1, uno_torus_hops(&t, 0, 0, 3, 0)); /* there are no such rings */
}

static int link_at(int node, int dimension, int down) {
    return (node * 2 + dimension) * 2 + down;
}

/* From (3, 0) to (0, 1) on 4x4 nodes: over the service nodes of the first ring of x. */
static void corner(void) {
    struct uno_torus t = {
        .dimensions = 2, .side = {4, 4}, .pes = 1, .order = {0, 1}, .service_nodes = 1, .service_rings = 1};
    int links[UNO_TORUS_HOPS];
    CHECK_INT(2, uno_torus_route(&t, 3, 4, links));
    CHECK_INT(link_at(3, 0, UP), links[0]);
    CHECK_INT(link_at(0, 1, UP), links[1]);
    t.corner = UNO_CORNER_REVERSED;
    CHECK_INT(2, uno_torus_route(&t, 3, 4, links));
    CHECK_INT(link_at(3, 1, UP), links[0]);
    CHECK_INT(link_at(7, 0, UP), links[1]);
    CHECK_INT(2, uno_torus_route(&t, 7, 8, links)); /* that ring has none */
    CHECK_INT(link_at(7, 0, UP), links[0]);
    CHECK_INT(2, uno_torus_route(&t, 0, 5, links)); /* this route does not cross them */
    CHECK_INT(link_at(0, 0, UP), links[0]);
}

/* The rates of a ring of 4: the phases' busiest links have 0, 1, 2 and 1 transfers. */
static void rates(void) {
    struct uno_torus t = ring(4, 1);
    struct uno_rates r;
    CHECK(uno_torus_phased(&t, uno_torus_schedule_named("shift"), &r));
    CHECK(fabs(r.rate - 4 / (1 / 1000. + 1 / 100. + 1 / 50. + 1 / 100.)) < 1e-9);
    CHECK(fabs(r.mean - (1000 + 100 + 50 + 100) / 4.) < 1e-9);
    CHECK(r.phase[0].link == -1 && r.phase[2].load == 2 && r.phase[2].rate == 50);
    CHECK(r.ends[UNO_TORUS_BINS - 1] == 0.25 && r.ends[uno_torus_bin(&t, 100)] == 0.5);
    uno_torus_release(&r);
    t.cap = 20; /* so that no link holds anything up */
    CHECK(uno_torus_phased(&t, uno_torus_schedule_named("shift"), &r));
    CHECK(fabs(r.rate - 20) < 1e-9 && fabs(r.mean - 20) < 1e-9);
    uno_torus_release(&r);
    CHECK(uno_torus_unphased(&t, &r));
    CHECK(r.rate < 20 && r.rate > 19); /* by chance more than five are on a link, seldom */
    t = ring(1, 3);
    CHECK(uno_torus_unphased(&t, &r));
    CHECK(fabs(r.rate - 1000) < 1e-6 && r.load == 0); /* nobody leaves the one node */
}

/* Known results of a static model of the paper's machine, in percent: always up, half of 300 MB/s, at most
 * 69. */
static void large(void) {
    static const struct {
        const char *schedule;
        enum uno_torus_ties ties;
        int percent;
    } known[] = {{"shift", UNO_TIES_UP, 34}, {"xor", UNO_TIES_UP, 41}, {"balanced", UNO_TIES_QUARTERS, 92}};
    struct uno_torus t = uno_torus_t3d;
    CHECK(fabs(uno_torus_nominal(&t) - 75) < 1e-9);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct uno_rates r;
        t.ties = known[i].ties;
        CHECK(uno_torus_phased(&t, uno_torus_schedule_named(known[i].schedule), &r));
        CHECK_INT(known[i].percent, lround(100 * r.rate / 75));
        uno_torus_release(&r);
    }
}

static int body(void *unused) {
    (void)unused;
    rings();
    optimum();
    service();
    corner();
    rates();
    large();
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}

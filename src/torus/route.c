#include "torus.h"

#include <stdbool.h>
#include <stdlib.h>

/* Sides, link, two PEs a node and the cap are print; what else is here was inferred (table1.def says from
 * what). */
const struct uno_torus uno_torus_t3d = {
    .dimensions = 3,
    .side = {8, 4, 8},
    .pes = 2,
    .order = {0, 1, 2},
    .ties = UNO_TIES_PARITY,
    .distance = UNO_DISTANCE_COMPUTE,
    .corner = UNO_CORNER_CORRECT,
    .others = UNO_OTHERS_KEPT,
    .service_dimension = 1,
    .service_nodes = 1,
    .service_rings = 2,
    .link = 300,
    .payload = 0.5,
    .response = 0,
    .cap = 69,
};

int uno_torus_nodes(const struct uno_torus *t) {
    int nodes = 1;
    for (int d = 0; d < t->dimensions; d++)
        nodes *= t->side[d];
    return nodes;
}

int uno_torus_pes(const struct uno_torus *t) {
    return uno_torus_nodes(t) * t->pes;
}

int uno_torus_links(const struct uno_torus *t) {
    return uno_torus_nodes(t) * t->dimensions * 2;
}

/* Return the distance between the numbers of neighbours in this dimension. */
static int stride(const struct uno_torus *t, int dimension) {
    int nodes = 1;
    for (int d = 0; d < dimension; d++)
        nodes *= t->side[d];
    return nodes;
}

int uno_torus_coordinate(const struct uno_torus *t, int node, int dimension) {
    return node / stride(t, dimension) % t->side[dimension];
}

/* Service nodes in the ring of this dimension through this node. Rings are numbered by the other coordinates.
 */
static int service_nodes(const struct uno_torus *t, int dimension, int node) {
    if (dimension != t->service_dimension)
        return 0;
    int below = stride(t, dimension);
    int ring = node % below + node / (below * t->side[dimension]) * below;
    return ring < t->service_rings ? t->service_nodes : 0;
}

static bool tie_goes_up(const struct uno_torus *t, int side, int from) {
    switch (t->ties) {
    case UNO_TIES_UP:
        return true;
    case UNO_TIES_PARITY:
        return from % 2 == 0;
    case UNO_TIES_QUARTERS:
        return from % (side / 2) < side / 4;
    }
    return true;
}

int uno_torus_hops(const struct uno_torus *t, int dimension, int ring, int from, int to) {
    int side = t->side[dimension];
    int up = (to - from + side) % side, down = (from - to + side) % side;
    if (up == 0)
        return 0;
    int way_up = up, way_down = down;
    if (t->distance == UNO_DISTANCE_ABSOLUTE) {
        int crossed = service_nodes(t, dimension, ring);
        way_up += to < from ? crossed : 0;
        way_down += to > from ? crossed : 0;
    }
    if (way_up == way_down)
        return tie_goes_up(t, side, from) ? up : -down;
    return way_up < way_down ? up : -down;
}

static bool crosses_service(const struct uno_torus *t, int from, int hops) {
    int d = t->service_dimension;
    if (!service_nodes(t, d, from))
        return false;
    int end = uno_torus_coordinate(t, from, d) + hops;
    return end < 0 || end >= t->side[d];
}

/* A route's part in one dimension. */
struct leg {
    int from, hops, step; /* the first coordinate; up or down; how far apart the numbers of neighbours are */
};

/* Go along one dimension; returns the node where that ends. */
static int walk(const struct uno_torus *t, int dimension, const struct leg *leg, int node, int *links) {
    int side = t->side[dimension], at = leg->from, base = node - at * leg->step;
    for (int i = 0; i < abs(leg->hops); i++) {
        links[i] = ((base + at * leg->step) * t->dimensions + dimension) * 2 + (leg->hops < 0);
        at += leg->hops < 0 ? -1 : 1;
        at = at < 0 ? side - 1 : at == side ? 0 : at;
    }
    return base + at * leg->step;
}

int uno_torus_route(const struct uno_torus *t, int from, int to, int *links) {
    struct leg leg[UNO_TORUS_DIMENSIONS];
    int count = 0, node = from, step = 1;
    for (int d = 0; d < t->dimensions; d++) {
        int here = from / step % t->side[d];
        leg[d] = (struct leg){here, uno_torus_hops(t, d, from, here, to / step % t->side[d]), step};
        step *= t->side[d];
    }
    bool reverse =
        t->corner == UNO_CORNER_REVERSED && crosses_service(t, from, leg[t->service_dimension].hops);
    for (int i = 0; i < t->dimensions; i++) {
        int d = t->order[reverse ? t->dimensions - 1 - i : i];
        node = walk(t, d, &leg[d], node, links + count);
        count += abs(leg[d].hops);
    }
    return count;
}

double uno_torus_nominal(const struct uno_torus *t) {
    int longest = 0;
    for (int d = 0; d < t->dimensions; d++)
        longest = t->side[d] > longest ? t->side[d] : longest;
    if (longest == 1)
        return 0;
    int cut = 4 * uno_torus_nodes(t) / longest; /* every ring, at two places, both ways */
    return cut * t->link / uno_torus_pes(t);
}

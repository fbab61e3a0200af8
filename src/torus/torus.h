/* A torus on paper: the links, the routing table and the PEs of a machine, as far as they decide how fast all
 * PEs can send to all others at once.
 *
 * A node has one link to each neighbour in each direction of each dimension, and some PEs that share them.
 * Nothing here measures: a rate follows from how many transfers share the busiest link. Rates are in MB/s of
 * payload. */

#ifndef UNO_TORUS_H
#define UNO_TORUS_H

enum {
    UNO_TORUS_DIMENSIONS = 4, /* at most */
    UNO_TORUS_SIDE = 64,      /* the longest */
    UNO_TORUS_PES = 2048,     /* at most, in all; a schedule has the square of it as routes */
    UNO_TORUS_HOPS = UNO_TORUS_DIMENSIONS * UNO_TORUS_SIDE,
};

/* The direction of a route in a ring if both are equally long. */
enum uno_torus_ties {
    UNO_TIES_UP,       /* always up */
    UNO_TIES_PARITY,   /* up from an even coordinate, down from an odd one */
    UNO_TIES_QUARTERS, /* up from the first and third quarter of the ring, down from the others */
};

/* The rule by which the length of a route in a ring with service nodes is counted. */
enum uno_torus_distance {
    UNO_DISTANCE_COMPUTE,  /* compute nodes only */
    UNO_DISTANCE_ABSOLUTE, /* the service nodes that it crosses count, too */
};

/* The way in which a route that crosses service nodes turns from one dimension into the next. */
enum uno_torus_corner {
    UNO_CORNER_CORRECT,
    UNO_CORNER_REVERSED, /* in the reverse order of dimensions: no longer, but in other links than the rest */
};

/* The transfers that share links with a given one where no phases keep the PEs in step. */
enum uno_torus_others {
    UNO_OTHERS_KEPT,     /* those that it meets at its start, until its end */
    UNO_OTHERS_CHANGING, /* changing ones, so that it is as fast as on average */
};

struct uno_torus {
    int dimensions, side[UNO_TORUS_DIMENSIONS];
    int pes;                         /* PEs of a node; PE p is on node p / pes */
    int order[UNO_TORUS_DIMENSIONS]; /* a route goes through the dimensions in this order */
    enum uno_torus_ties ties;
    enum uno_torus_distance distance;
    enum uno_torus_corner corner;
    enum uno_torus_others others;
    /* the dimension whose rings have service nodes, between the last node and the first */
    int service_dimension;
    int service_nodes; /* service nodes in each such ring; 0: none */
    int service_rings; /* the number of rings of that dimension that have them, the first ones */
    double link;       /* MB/s of a link in one direction */
    double payload;    /* the share of a link's bytes that is data */
    double response;   /* bytes that return to the sender for each byte of data */
    double cap;        /* the most that a PE sends */
};

/* The machine of the paper, with a correct routing table. */
extern const struct uno_torus uno_torus_t3d;

/* A node's number is mixed-radix: the first dimension varies fastest. */
int uno_torus_nodes(const struct uno_torus *t);
int uno_torus_pes(const struct uno_torus *t);
int uno_torus_coordinate(const struct uno_torus *t, int node, int dimension);

/* Links are numbered from 0: by node, dimension and direction, (node * dimensions + dimension) * 2 + down. */
int uno_torus_links(const struct uno_torus *t);

/* Return how many hops a route between two coordinates of a ring goes: up if more than 0, down if less.
 * `ring` is any node of the ring. */
int uno_torus_hops(const struct uno_torus *t, int dimension, int ring, int from, int to);

/* Write the links of the route between two nodes, in order, and return how many. `links` has room for
 * UNO_TORUS_HOPS. */
int uno_torus_route(const struct uno_torus *t, int from, int to, int *links);

/* Return each PE's share of the bisection in MB/s: of the links, in both directions, that are cut if the
 * longest side is halved. 0 if there is only one node. */
double uno_torus_nominal(const struct uno_torus *t);

#endif

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

/* Which way a route takes in a ring if both are equally long. */
enum uno_torus_ties {
    UNO_TIES_UP,       /* always up */
    UNO_TIES_PARITY,   /* up from an even coordinate, down from an odd one */
    UNO_TIES_QUARTERS, /* up from the first and third quarter of the ring, down from the others */
};

/* What a route's length in a ring with service nodes is. */
enum uno_torus_distance {
    UNO_DISTANCE_COMPUTE,  /* compute nodes only */
    UNO_DISTANCE_ABSOLUTE, /* the service nodes that it crosses count, too */
};

/* How a route that crosses service nodes turns from one dimension into the next. */
enum uno_torus_corner {
    UNO_CORNER_CORRECT,
    UNO_CORNER_REVERSED, /* in the reverse order of dimensions: no longer, but in other links than the rest */
};

/* Whom a transfer shares its links with where no phases keep the PEs in step. */
enum uno_torus_others {
    UNO_OTHERS_KEPT,     /* those that it meets at its start, to its end */
    UNO_OTHERS_CHANGING, /* ever new ones, so that it is as fast as on average */
};

struct uno_torus {
    int dimensions, side[UNO_TORUS_DIMENSIONS];
    int pes;                         /* of a node; PE p is on node p / pes */
    int order[UNO_TORUS_DIMENSIONS]; /* a route goes through the dimensions in this order */
    enum uno_torus_ties ties;
    enum uno_torus_distance distance;
    enum uno_torus_corner corner;
    enum uno_torus_others others;
    int service_dimension; /* in whose rings the service nodes are, between the last node and the first */
    int service_nodes;     /* in each such ring; 0: there are none */
    int service_rings;     /* the first so many rings of that dimension have them */
    double link;           /* what a link carries in one direction */
    double payload;        /* the share of it that is data */
    double response;       /* what returns to the sender, by the sender's data */
    double cap;            /* what a PE sends at most */
};

/* The machine of the paper, with a correct routing table. */
extern const struct uno_torus uno_torus_t3d;

/* A node's number is mixed-radix: the first dimension varies fastest. */
int uno_torus_nodes(const struct uno_torus *t);
int uno_torus_pes(const struct uno_torus *t);
int uno_torus_coordinate(const struct uno_torus *t, int node, int dimension);

/* Links are numbered from 0: by node, dimension and direction, (node * dimensions + dimension) * 2 + down. */
int uno_torus_links(const struct uno_torus *t);

/* How far a route between two coordinates of a ring goes: up if more than 0, down if less. `ring` is any node
 * of the ring. */
int uno_torus_hops(const struct uno_torus *t, int dimension, int ring, int from, int to);

/* The links of the route between two nodes, in order; returns how many. `links` has room for UNO_TORUS_HOPS.
 */
int uno_torus_route(const struct uno_torus *t, int from, int to, int *links);

/* What a PE has of the bisection: of the links, both ways, that are cut if the longest side is halved. In
 * MB/s; 0 if there is one node only. */
double uno_torus_nominal(const struct uno_torus *t);

#endif

/* vertex/cube.h - programs on a hypercube, above the messages of vertex.h.
 *
 * The 2^d nodes of a job are the corners of a cube of d dimensions: nodes whose numbers differ in bit k alone
 * are neighbours across dimension k. A job whose number of nodes is no power of two has no cube, and the
 * functions below that need one end it with an error that says so; ngray and nungray need none.
 *
 * The broadcasts and combinations here use messages that nread and ntest never see, so they may be mixed with
 * messages of any type. They need standard channels. */

#ifndef VERTEX_CUBE_H
#define VERTEX_CUBE_H

#include <vertex.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- places ----------------------------------------------------------------------------------------------
 * None of these communicates. */

/* The neighbour across a dimension, 0 to d - 1. */
int nneighbor(int dimension);

/* The i-th Gray code, i from 0: it differs from the one before and the one after in one bit, and of the first
 * 2^d codes the last one from the first, too. So node ngray(i), i = 0, 1, ..., is a ring of all nodes in
 * which each is a neighbour of the next; and ngray(i) * 2^c + ngray(j) a grid with 2^c columns. nungray:
 * which code it is. */
int ngray(int i);
int nungray(int code);

/* The node so many steps on in the ring of Gray codes; steps may be negative. */
int nring(int steps);

/* ---- all nodes together ----------------------------------------------------------------------------------
 * Every node of the cube (of the subcube, after nsubcube) must call with the same arguments but data; each
 * waits for those that it needs something of, which is not all: neither is a barrier. */

/* The root's data to all nodes, along a spanning tree: a node that has received it passes it on across the
 * dimensions below the one over which it came. d steps. */
void nspread(void *data, size_t bytes, int root);

/* left = left combined with right, of the same number of bytes as data; context: as given. */
typedef void (*ncombiner)(void *left, const void *right, size_t bytes, void *context);

/* Everyone's data combined, to everyone: an exchange of partial results with the neighbour across each
 * dimension, 0 to d - 1. The combiner must be associative, and need not commute: what belongs to the lower
 * node numbers is always on the left. All nodes get the same bits, in every run. It must not communicate. */
void ncombine(void *data, size_t bytes, ncombiner combiner, void *context);

/* ---- subcubes --------------------------------------------------------------------------------------------
 * A cube of dimension d can be divided in 2^(d-k) subcubes of dimension k: nodes are in the same one if their
 * numbers differ in the lowest k bits alone. */

/* Enter this node's subcube of dimension k, from 0 to one less than the present. From now on the node's
 * number is its lowest k bits, nwhoami tells that and k, and every node number given to or had from a
 * function of vertex.h or of this header is one of the subcube: 0 to 2^k - 1. So subcubes cannot disturb each
 * other: there is no number for a node outside, and no message written outside is read inside, of whatever
 * type it is; what is unread stays for when the node is outside again. The current group of papers.h becomes
 * the nodes of the subcube; in papers.h PEs keep their numbers. Channels that are extended stay so. Does not
 * wait. */
void nsubcube(int k);

/* Leave it: back to the cube that it was a part of, also as the current group. Does not wait. */
void nsupercube(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

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

/* Return the neighbour across a dimension, 0 to d - 1. */
int nneighbor(int dimension);

/* Return the i-th Gray code, i from 0. It differs from the code before and the code after in one bit, and
 * among the first 2^d codes the last differs from the first in one bit, too. So the nodes ngray(i), i = 0, 1,
 * ..., form a ring of all nodes in which each is a neighbour of the next; and ngray(i) * 2^c + ngray(j) a
 * grid with 2^c columns. nungray is the inverse. */
int ngray(int i);
int nungray(int code);

/* Return the node that is so many steps on in the ring of Gray codes; steps may be negative. */
int nring(int steps);

/* ---- all nodes together ----------------------------------------------------------------------------------
 * Every node of the cube (of the subcube, after nsubcube) must call with the same arguments but data; each
 * waits only for the nodes whose data it needs: neither is a barrier. */

/* Send the root's `bytes` bytes of data to all nodes, into their data, along a spanning tree of d steps: a
 * node that has received them passes them on across the dimensions below the one over which they came. */
void nspread(void *data, size_t bytes, int root);

/* A function that combines: left = left (op) right, each of `bytes` bytes; context: the argument of
 * ncombine. */
typedef void (*ncombiner)(void *left, const void *right, size_t bytes, void *context);

/* Combine the data of all nodes; every node gets the result. The nodes exchange partial results with the
 * neighbour across each dimension, 0 to d - 1. The combiner must be associative, and need not commute: the
 * operand of the lower node numbers is always on the left. All nodes get the same bits, in every run. The
 * combiner must not communicate. */
void ncombine(void *data, size_t bytes, ncombiner combiner, void *context);

/* ---- subcubes --------------------------------------------------------------------------------------------
 * A cube of dimension d can be divided in 2^(d-k) subcubes of dimension k: nodes are in the same one if their
 * numbers differ in the lowest k bits alone. */

/* Enter this node's subcube of dimension k, from 0 to one less than the present dimension. From now on the
 * node's number is its lowest k bits, nwhoami reports that and k, and every node number in the functions of
 * vertex.h and of this header is one of the subcube: 0 to 2^k - 1. So subcubes cannot disturb each other:
 * there is no number for a node outside, and no message written outside is read inside, whatever its type;
 * unread messages wait until the node is outside again. The current group of papers.h becomes the nodes of
 * the subcube; in papers.h PEs keep their numbers. Extended channels stay extended. It does not wait. */
void nsubcube(int k);

/* Leave the subcube, and return to the cube that it is a part of, also as the current group. It does not
 * wait. */
void nsupercube(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif

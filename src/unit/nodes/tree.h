/* A tree over the nodes of a group on a mesh, for operations in two sweeps: up to the first node, and down
 * again. Packets go along a row and along a column as the network carries them: the nodes of each row form a
 * binomial tree under the first of them, and these first ones form one under the first of all. So each part
 * crosses few links, and those of different rows meet at no router.
 *
 * Nodes are numbered as in split.h. The nodes below a child are those from its own number on, up to an end.
 */

#ifndef UNO_NODES_TREE_H
#define UNO_NODES_TREE_H

enum {
    UNO_TREE_NODES = 1024,     /* at most; */
    UNO_TREE_CHILDREN = 2 * 10 /* of one of them: log2 of nodes in a row, and of rows */
};

struct uno_tree {
    int parent; /* -1: it is the first node */
    int children;
    struct uno_tree_child {
        int first, end;
    } child[UNO_TREE_CHILDREN]; /* those with fewer nodes below them first */
};

/* Calculate the part of the tree that node `here` of `count` sees. tile: for each node the number of its
 * tile, in ascending order; columns: tiles of a row. */
void uno_tree_of(struct uno_tree *tree, const int *tile, int count, int here, int columns);

#endif

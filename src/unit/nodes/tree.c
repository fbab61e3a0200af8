#include "tree.h"

#include <stdbool.h>

/* Return the node that begins the row after that of node i. */
static int row_end(const int *tile, int count, int i, int columns) {
    int row = tile[i] / columns;
    while (i < count && tile[i] / columns == row)
        i++;
    return i;
}

static void add(struct uno_tree *tree, int first, int end) {
    tree->child[tree->children++] = (struct uno_tree_child){first, end};
}

/* In a binomial tree of the numbers from 0 on: the parent of i, and if the number so many behind i is its
 * child. */
static int parent_of(int i) {
    return i & (i - 1);
}
static bool has_child(int i, int step) {
    return !i || step < (i & -i);
}

void uno_tree_of(struct uno_tree *tree, const int *tile, int count, int here, int columns) {
    int start[UNO_TREE_NODES + 1] = {0}, rows = 0, row = 0;
    for (int i = 0; i < count; i = row_end(tile, count, i, columns)) {
        row = i <= here ? rows : row;
        start[rows++] = i;
    }
    start[rows] = count;
    int at = here - start[row], wide = start[row + 1] - start[row];
    *tree = (struct uno_tree){.parent = at ? start[row] + parent_of(at) : row ? start[parent_of(row)] : -1};
    for (int step = 1; at + step < wide && has_child(at, step); step *= 2) {
        int end = at + 2 * step;
        add(tree, here + step, start[row] + (end < wide ? end : wide));
    }
    for (int step = 1; !at && row + step < rows && has_child(row, step); step *= 2) {
        int end = row + 2 * step;
        add(tree, start[row + step], start[end < rows ? end : rows]);
    }
}

/* Trees over random sets of tiles of random meshes: what the nodes know of their parents and children agrees,
 * every node lies below the first one, once, and rows are connected by their first nodes alone. */

#include "unit/nodes/tree.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/rng.h"

enum { SIDE = 32, MOST = SIDE * SIDE, ROUNDS = 1000 };

static int tile[MOST], count, columns;
static struct uno_tree tree[MOST];

static _Noreturn void fail(int i, const char *what) {
    printf("node %d of %d, tile %d in rows of %d: %s\n", i, count, tile[i], columns, what);
    exit(1);
}

static bool is_first_of_row(int i) {
    return !i || tile[i - 1] / columns != tile[i] / columns;
}

/* Check node i, below which those from it to before `end` are to lie. */
static void check(int i, int end) {
    int next = i + 1;
    for (int c = 0; c < tree[i].children; c++) {
        int first = tree[i].child[c].first;
        if (first != next)
            fail(i, "a child's number is not behind those below the child before");
        if (tree[first].parent != i)
            fail(first, "its parent is another one than that of which it is a child");
        if (tile[i] / columns != tile[first] / columns && !(is_first_of_row(i) && is_first_of_row(first)))
            fail(first, "its parent is in another row, and one of them is not the first of its row");
        next = tree[i].child[c].end;
        check(first, next);
    }
    if (next != end)
        fail(i, "not all nodes that are to lie below it do");
}

int main(void) {
    for (int round = 0; round < ROUNDS; round++) {
        struct rng rng = rng_for(1, (uint64_t)round, 0, 0);
        columns = 1 + rng_below(&rng, SIDE);
        int all = columns * (1 + rng_below(&rng, SIDE)), of_ten = 1 + rng_below(&rng, 10);
        count = 0;
        for (int k = 0; k < all; k++)
            if (rng_below(&rng, 10) < of_ten || k == all - 1)
                tile[count++] = k;
        for (int i = 0; i < count; i++)
            uno_tree_of(&tree[i], tile, count, i, columns);
        if (tree[0].parent >= 0)
            fail(0, "it has a parent");
        check(0, count);
    }
    return 0;
}

/* Programs that break a rule of <vertex/cube.h>; as tests/misuse.c. */

#include "misuse.h"

#include <string.h>
#include <vertex/cube.h>

#include "harness.h"

static void no_cube(int me) {
    nspread(&me, sizeof me, 0);
}

static void no_dimension(int me) {
    (void)me;
    nneighbor(2);
}

static void negative_dimension(int me) {
    (void)me;
    nneighbor(-1);
}

static void no_root(int me) {
    nsubcube(1);
    nspread(&me, sizeof me, 2);
}

static void no_subcube(int me) {
    (void)me;
    nsubcube(2);
}

static void no_way_out(int me) {
    (void)me;
    nsubcube(1);
    nsupercube();
    nsupercube();
}

static void outside(int me) {
    nsubcube(1);
    nwrite(&me, sizeof me, 3, 0);
}

static void spread_lengths(int me) {
    char data[3];
    nspread(data, me == 0 ? 2 : 3, 0);
}

static void add(void *left, const void *right, size_t bytes, void *context) {
    (void)bytes, (void)context;
    *(char *)left = (char)(*(char *)left + *(const char *)right);
}

static void combine_lengths(int me) {
    char data[3] = {0};
    ncombine(data, me == 1 ? 2 : 3, add, NULL);
}

static void no_data(int me) {
    nspread(me ? NULL : &me, sizeof me, 0);
}

static void gone(int me) {
    if (me)
        ncombine(&me, sizeof me, add, NULL);
}

const struct misuse misuses[] = {
    {"no-cube", 3, no_cube, 0, {"nspread: 3 nodes are no cube; the number of PEs must be a power of two"}},
    {"no-dimension", 4, no_dimension, 0, {"nneighbor: dimension 2; this cube has 2, counted from 0"}},
    {"negative-dimension", 4, negative_dimension, 0, {"nneighbor: dimension -1; this cube has 2"}},
    {"no-root", 4, no_root, 0, {"nspread: node 2; the nodes are 0 to 1"}},
    {"no-subcube",
     4,
     no_subcube,
     0,
     {"nsubcube: dimension 2; it must be from 0 to less than 2, that of this cube"}},
    {"no-way-out", 4, no_way_out, 0, {"nsupercube: this node is in no subcube"}},
    {"outside", 4, outside, 0, {"nwrite: node 3; the nodes are 0 to 1"}},
    {"spread-lengths", 2, spread_lengths, 0, {"PE 1: nspread: node 1 gives 3 bytes, but node 0 2"}},
    {"combine-lengths", 2, combine_lengths, 0, {"ncombine: node ", " bytes, but node "}},
    {"no-data", 2, no_data, 0, {"PE 1: nspread: the data is a null pointer"}},
    {"gone", 2, gone, 0, {"PE 1: ncombine", "PE 0, which has left"}},
};
const int misuse_count = sizeof misuses / sizeof *misuses;

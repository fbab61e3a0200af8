/* What goes through memory one after the other adds up its times. That holds for loops in turn, C o Q o C of
 * the paper's packing; and for the load and the store of one loop too: a processor has both under way at a
 * time, as the T3D had a sending processor and a receiving engine, but here they share one memory. */

#include "model.h"

/* One after the other, on the same bytes. */
static double then(double a, double b) {
    return 1 / (1 / a + 1 / b);
}

/* Of n parts one is the PE's own. */
static double spread(const double rate[UNO_PLACES], int n) {
    return n / (1 / rate[UNO_LOCAL] + (n - 1) / rate[UNO_REMOTE]);
}

/* How a permutation stores. */
static double store(const struct uno_basic *basic, int n, enum uno_permutation permutation) {
    return permutation == UNO_TRANSPOSE ? spread(basic->store[UNO_STRIDED], n)
           : permutation == UNO_GROUPED ? spread(basic->store[UNO_INDEXED], n)
           : permutation == UNO_RANDOM  ? basic->store[UNO_ANYWHERE][UNO_LOCAL]
                                        : basic->store[UNO_CONTIGUOUS][UNO_LOCAL];
}

/* A block is loaded by who wants it; in the other ones each PE loads its own elements and stores them at the
 * others'. */
double uno_model_chained(const struct uno_basic *basic, int n, enum uno_permutation permutation) {
    const double *load = basic->load[UNO_CONTIGUOUS];
    return then(permutation == UNO_BLOCK ? spread(load, n) : load[UNO_LOCAL], store(basic, n, permutation));
}

/* An element travels with its index: as much again to load and to copy. */
double uno_model_packed(const struct uno_basic *basic, int n, enum uno_permutation permutation) {
    enum uno_access pattern = permutation == UNO_TRANSPOSE ? UNO_STRIDED : UNO_INDEXED;
    double transfer = uno_model_chained(basic, n, UNO_BLOCK) / 2;
    double unpack = then(basic->load[UNO_CONTIGUOUS][UNO_LOCAL] / 2, basic->store[pattern][UNO_LOCAL]);
    return permutation == UNO_BLOCK ? 0 : then(then(basic->pack, transfer), unpack);
}

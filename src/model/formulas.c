/* The times of passes over the same memory add up. That holds for loops in turn, C o Q o C of the paper's
 * packing; and for the load and the store of one loop too: a processor has both under way at a time, as the
 * T3D had a sending processor and a receiving engine, but here they share one memory. */

#include "model.h"

/* Return the rate of two passes, one after the other, over the same bytes. */
static double then(double a, double b) {
    return 1 / (1 / a + 1 / b);
}

/* Return the rate of accesses that are spread over n parts evenly: one part is the PE's own. */
static double spread(const double rate[UNO_PLACES], int n) {
    return n / (1 / rate[UNO_LOCAL] + (n - 1) / rate[UNO_REMOTE]);
}

/* Return the rate at which a permutation stores. */
static double store(const struct uno_basic *basic, int n, enum uno_permutation permutation) {
    return permutation == UNO_TRANSPOSE ? spread(basic->store[UNO_STRIDED], n)
           : permutation == UNO_GROUPED ? spread(basic->store[UNO_INDEXED], n)
           : permutation == UNO_RANDOM  ? basic->store[UNO_ANYWHERE][UNO_LOCAL]
                                        : basic->store[UNO_CONTIGUOUS][UNO_LOCAL];
}

/* Return the rate of a permutation in one pass. A block is loaded by the PE that receives it; in the other
 * permutations each PE loads its own elements and stores them at the other PEs'. */
double uno_model_chained(const struct uno_basic *basic, int n, enum uno_permutation permutation) {
    const double *load = basic->load[UNO_CONTIGUOUS];
    return then(permutation == UNO_BLOCK ? spread(load, n) : load[UNO_LOCAL], store(basic, n, permutation));
}

/* Return the rate of a permutation through buffers. An element travels with its index, which doubles the
 * bytes to load and to copy. */
double uno_model_packed(const struct uno_basic *basic, int n, enum uno_permutation permutation) {
    enum uno_access pattern = permutation == UNO_TRANSPOSE ? UNO_STRIDED : UNO_INDEXED;
    double transfer = uno_model_chained(basic, n, UNO_BLOCK) / 2;
    double unpack = then(basic->load[UNO_CONTIGUOUS][UNO_LOCAL] / 2, basic->store[pattern][UNO_LOCAL]);
    return permutation == UNO_BLOCK ? 0 : then(then(basic->pack, transfer), unpack);
}

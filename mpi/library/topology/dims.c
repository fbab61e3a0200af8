/* MPI_Dims_create: a number as a product of factors that are as even as can be. */

#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/calls.h"

/* The state of the search for factors, in ascending order. The best product has the least difference between
 * its largest and its least factor, and then the largest least factor. */
struct search {
    int divisors, *divisor; /* of the number, in ascending order */
    int factors;            /* of the product */
    int *chosen, *best;
    int spread; /* of the best one; -1: there is none yet */
};

/* Return true if base to that power is at least the number. */
static bool reaches(long long base, int power, long long number) {
    long long product = 1;
    for (int i = 0; i < power && product < number; i++)
        product = base ? product * base : 0;
    return product >= number;
}

/* Compare a complete product with the best one. */
static void consider(struct search *s) {
    int spread = s->chosen[s->factors - 1] - s->chosen[0];
    if (s->spread < 0 || spread < s->spread) {
        s->spread = spread;
        memcpy(s->best, s->chosen, (size_t)s->factors * sizeof *s->best);
    }
}

/* Deal out the rest of the number to the factors from `at` on, in ascending order. Even splits come first, so
 * that most of the others need not be tried. */
static void deal(struct search *s, int at, int rest) {
    int left = s->factors - at, from = at ? s->chosen[at - 1] : 1;
    if (left == 1) {
        s->chosen[at] = rest;
        consider(s);
        return;
    }
    for (int i = s->divisors - 1; i >= 0 && s->divisor[i] >= from; i--) {
        int factor = s->divisor[i], least = at ? s->chosen[0] : factor;
        if (rest % factor || reaches(factor, left, (long long)rest + 1))
            continue;
        /* the largest factor will be at least the root of the rest */
        if (s->spread >= 0 && !reaches((long long)least + s->spread - 1, left, rest))
            break;
        s->chosen[at] = factor;
        deal(s, at + 1, rest / factor);
    }
}

static void find_divisors(struct search *s, int number) {
    enum { MOST = 1600 /* that an int has */ };
    int low = 0, high = 0, above[MOST];
    s->divisor = uno_base_allocate(MOST, sizeof *s->divisor);
    for (int d = 1; (long long)d * d <= number; d++)
        if (number % d == 0) {
            s->divisor[low++] = d;
            if (number / d != d)
                above[high++] = number / d;
        }
    s->divisors = low + high;
    while (high)
        s->divisor[low++] = above[--high];
}

/* Write the number as so many factors, the largest first. */
static void factor(int number, int factors, int *largest_first) {
    struct search s = {.factors = factors, .spread = -1};
    s.chosen = uno_base_allocate((size_t)factors, sizeof *s.chosen);
    s.best = uno_base_allocate((size_t)factors, sizeof *s.best);
    find_divisors(&s, number);
    deal(&s, 0, number);
    for (int i = 0; i < factors; i++)
        largest_first[i] = s.best[factors - 1 - i];
    free(s.divisor);
    free(s.chosen);
    free(s.best);
}

int uno_mpi_dims_create(int nnodes, int ndims, int dims[]) {
    long long given = 1;
    int open = 0;
    if (nnodes < 1 || ndims < 0)
        return uno_error(MPI_ERR_DIMS, "nnodes is %d, ndims %d", nnodes, ndims);
    for (int d = 0; d < ndims; d++) {
        if (dims[d] < 0)
            return uno_error(MPI_ERR_DIMS, "dims[%d] is %d", d, dims[d]);
        open += dims[d] == 0;
        if (dims[d])
            given = given > nnodes ? given : given * dims[d];
    }
    if (nnodes % given || (!open && ndims && given != nnodes))
        return uno_error(MPI_ERR_DIMS, "nnodes is %d, and is no %s of what dims gives already", nnodes,
                         open ? "multiple" : "product");
    if (!open)
        return MPI_SUCCESS;
    int *found = uno_base_allocate((size_t)open, sizeof *found);
    factor((int)(nnodes / given), open, found);
    for (int d = 0, i = 0; d < ndims; d++)
        if (!dims[d])
            dims[d] = found[i++];
    free(found);
    return MPI_SUCCESS;
}

/* Comparison with the host: a collective that was accelerated is done again by the host, on a copy of what
 * the receive buffer held. What is moved must be the same. What is combined too, but for sums and products of
 * floating-point numbers, which the host combines in an order of its own: of a sum of n numbers x, in any
 * order, the error is at most (n - 1) e (|x1| + ... + |xn|), with e the largest relative error of one
 * addition, and of a product (n - 1) e times the product, to first order in e. User-defined operations are
 * compared with what the host's MPI_Reduce_local makes of all ranks' data in rank order, since nobody knows
 * what another order does. */

#include "accelerator/observe/check.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accelerator/host/comm.h"
#include "accelerator/host/node.h"
#include "accelerator/host/reduction.h"
#include "accelerator/settings.h"
#include "collective/base.h"

/* The counts of this process. */
static uno_atomic64 compared, different;

/* ---- what a call has received ------------------------------------------------------------------------ */

static bool is_rooted(enum uno_op code) {
    return code == UNO_MPI_REDUCE || code == UNO_MPI_GATHER || code == UNO_MPI_GATHERV;
}

static bool combines(enum uno_op code) {
    return code == UNO_MPI_REDUCE || code == UNO_MPI_ALLREDUCE || code == UNO_MPI_SCAN ||
           code == UNO_MPI_EXSCAN || code == UNO_MPI_REDUCE_SCATTER || code == UNO_MPI_REDUCE_SCATTER_BLOCK;
}

/* Return true if the call defines this rank's `out`. */
static bool receives(const struct uno_watched_call *call, const struct uno_comm *c) {
    return !(is_rooted(call->code) && c->rank != call->root) && call->out != MPI_IN_PLACE &&
           call->code != UNO_MPI_BARRIER;
}

static int blocks_of(const struct uno_watched_call *call, const struct uno_comm *c) {
    bool varies =
        call->code == UNO_MPI_GATHERV || call->code == UNO_MPI_ALLGATHERV || call->code == UNO_MPI_ALLTOALLV;
    return varies ? c->size : 1;
}

/* Find one block of `out`: its first element, counted in extents, and the number of elements. */
static void block_of(const struct uno_watched_call *call, const struct uno_comm *c, int i, MPI_Count *first,
                     MPI_Count *count) {
    *first = 0;
    *count = call->out_count;
    if (blocks_of(call, c) > 1) {
        *first = uno_displacement_of(&call->out_counts, i);
        *count = uno_count_of(&call->out_counts, i);
    } else if (call->code == UNO_MPI_GATHER || call->code == UNO_MPI_ALLGATHER ||
               call->code == UNO_MPI_ALLTOALL) {
        *count *= c->size;
    } else if (call->code == UNO_MPI_REDUCE_SCATTER) {
        *count = uno_count_of(&call->out_counts, c->rank);
    }
}

/* Return the elements that a rank puts into an operation that combines. */
static MPI_Count put_count(const struct uno_watched_call *call, const struct uno_comm *c) {
    MPI_Count total = 0;
    if (call->code == UNO_MPI_REDUCE_SCATTER_BLOCK)
        return call->in_count * c->size;
    if (call->code != UNO_MPI_REDUCE_SCATTER)
        return call->in_count;
    for (int r = 0; r < c->size; r++)
        total += uno_count_of(&call->out_counts, r);
    return total;
}

static void pack(const void *in, MPI_Count count, const struct uno_datatype *t, void *bytes) {
    if (t->layout.plain)
        memcpy(bytes, in, (size_t)count * t->layout.size);
    else
        t->layout.pack(&t->layout, in, (size_t)count, bytes);
}

/* ---- before ------------------------------------------------------------------------------------------ */

/* Find the range of `out` that the call may read or write, as offsets in bytes. */
static void find_span(const struct uno_watched_call *call, const struct uno_comm *c, ptrdiff_t *low,
                      ptrdiff_t *high) {
    const struct uno_datatype *t = uno_datatype_of(call->out_type);
    *low = PTRDIFF_MAX;
    *high = PTRDIFF_MIN;
    for (int i = 0; i < blocks_of(call, c); i++) {
        MPI_Count first, count;
        block_of(call, c, i, &first, &count);
        if (combines(call->code) && call->in == MPI_IN_PLACE)
            count = put_count(call, c);
        if (count <= 0)
            continue;
        ptrdiff_t start = (ptrdiff_t)first * t->layout.extent,
                  end = (ptrdiff_t)(first + count - 1) * t->layout.extent;
        ptrdiff_t least = start < end ? start : end, most = start < end ? end : start;
        *low = least + t->true_bound < *low ? least + t->true_bound : *low;
        most += t->true_bound + t->layout.true_extent;
        *high = most > *high ? most : *high;
    }
    if (*low > *high)
        *low = *high = 0;
}

static void keep_puts(struct uno_watched_call *call, const struct uno_comm *c) {
    const struct uno_datatype *t = uno_datatype_of(call->out_type);
    MPI_Count count = put_count(call, c);
    if (count <= 0 || !t->layout.size)
        return;
    size_t bytes = (size_t)count * t->layout.size;
    char *own = uno_base_allocate(bytes, 1);
    call->puts = uno_base_allocate(bytes * (size_t)c->size, 1);
    pack(call->in == MPI_IN_PLACE ? call->out : call->in, count, t, own);
    HOST(Allgather)(own, (int)bytes, MPI_BYTE, call->puts, (int)bytes, MPI_BYTE, call->comm);
    free(own);
}

void uno_check_keep(struct uno_watched_call *call) {
    const struct uno_comm *c = uno_comm_of(call->comm);
    if (!c->lane && !c->nodes)
        return;
    ptrdiff_t low = 0, high = 0;
    bool has = receives(call, c);
    if (has)
        find_span(call, c, &low, &high);
    call->memory = uno_base_allocate((size_t)(high - low) + 1, 1);
    call->copy = call->out == MPI_IN_PLACE ? MPI_IN_PLACE : (char *)call->memory - low;
    if (has)
        memcpy(call->memory, (char *)call->out + low, (size_t)(high - low));
    if (combines(call->code))
        keep_puts(call, c);
}

/* ---- after ------------------------------------------------------------------------------------------- */

static bool is_real(const struct uno_datatype *t) {
    return t->kernels && (t->class == UNO_REAL || t->class == UNO_LONG_REAL || t->class == UNO_COMPLEX);
}

/* Return the bytes of one number; a complex element has two numbers. */
static size_t number_size(const struct uno_datatype *t) {
    return t->class == UNO_COMPLEX ? t->layout.size / 2 : t->layout.size;
}

static long double number_at(const char *bytes, size_t size, size_t i) {
    float f;
    double d;
    long double l;
    switch (size) {
    case sizeof f:
        memcpy(&f, bytes + i * size, sizeof f);
        return f;
    case sizeof d:
        memcpy(&d, bytes + i * size, sizeof d);
        return d;
    default:
        memcpy(&l, bytes + i * size, sizeof l);
        return l;
    }
}

static long double epsilon_of(size_t size) {
    return size == sizeof(float) ? FLT_EPSILON : size == sizeof(double) ? DBL_EPSILON : LDBL_EPSILON;
}

/* Return the largest allowed difference of two results for number i of those that each rank puts. */
static long double tolerance(const struct uno_watched_call *call, const struct uno_comm *c,
                             const struct uno_datatype *t, size_t i, long double a, long double b) {
    size_t size = number_size(t), bytes = (size_t)put_count(call, c) * t->layout.size;
    long double e = epsilon_of(size) * (long double)c->size, sum = 0;
    if (call->op == MPI_PROD) /* a complex product is made of sums of products */
        return (t->class == UNO_COMPLEX ? 8 : 2) * e * (fabsl(a) + fabsl(b)) + LDBL_MIN;
    if (call->op != MPI_SUM)
        return 0;
    for (int r = 0; r < c->size; r++)
        sum += fabsl(number_at(call->puts + (size_t)r * bytes, size, i));
    return 2 * e * sum;
}

/* Return true if results a and b, packed, differ no more than is allowed. first: the number of the first
 * element among those that are put. Sets *element to one that differs more. */
static bool is_near(const struct uno_watched_call *call, const struct uno_comm *c,
                    const struct uno_datatype *t, const char *a, const char *b, size_t count, size_t first,
                    size_t *element) {
    size_t size = number_size(t), per = t->layout.size / size;
    for (size_t i = 0; i < count * per; i++) {
        long double x = number_at(a, size, i), y = number_at(b, size, i);
        if (x == y || isnan(x) || isnan(y)) /* the result of a NaN depends on the order */
            continue;
        long double near = tolerance(call, c, t, first * per + i, x, y);
        /* a complex product's error is of the size of the larger part */
        if (call->op == MPI_PROD && per == 2)
            near += tolerance(call, c, t, 0, number_at(a, size, i ^ 1), number_at(b, size, i ^ 1));
        if (fabsl(x - y) <= near || isinf(near))
            continue;
        *element = i / per;
        return false;
    }
    return true;
}

static void describe(const struct uno_datatype *t, const char *bytes, char text[80]) {
    if (is_real(t) && t->class != UNO_COMPLEX) {
        snprintf(text, 80, "%.21Lg", number_at(bytes, t->layout.size, 0));
        return;
    }
    int at = snprintf(text, 80, "bytes");
    for (size_t i = 0; i < t->layout.size && at < 72; i++)
        at += snprintf(text + at, (size_t)(80 - at), " %02x", (unsigned char)bytes[i]);
}

static UNO_COLD void complain(const struct uno_watched_call *call, const struct uno_comm *c, int block,
                              size_t element, const struct uno_datatype *t, const char *ours,
                              const char *theirs) {
    char name[MPI_MAX_OBJECT_NAME] = "", mine[80], host[80], where[40] = "";
    int length;
    HOST(Comm_get_name)(call->comm, name, &length);
    describe(t, ours + element * t->layout.size, mine);
    describe(t, theirs + element * t->layout.size, host);
    if (blocks_of(call, c) > 1)
        snprintf(where, sizeof where, " of the block of rank %d", block);
    uno_base_say(
        "check: %s on the communicator %s, of %d ranks, of which this is %d: element %zu%s is %s, and the "
        "host has %s",
        call->name, *name ? name : "(without a name)", c->size, c->rank, element, where, mine, host);
}

/* Combine the ranks' data in rank order, packed, for elements [first, first + count). */
static void combine_in_order(const struct uno_watched_call *call, const struct uno_comm *c,
                             const struct uno_datatype *t, size_t first, size_t count, char *out) {
    int n = call->code == UNO_MPI_SCAN ? c->rank + 1 : call->code == UNO_MPI_EXSCAN ? c->rank : c->size;
    size_t bytes = (size_t)put_count(call, c) * t->layout.size;
    const void **data = uno_base_allocate((size_t)c->size, sizeof *data);
    for (int r = 0; r < n; r++)
        data[r] = call->puts + (size_t)r * bytes + first * t->layout.size;
    struct uno_host_reduction r;
    uno_reduction_of_host(&r, t, call->op);
    uno_combine(&r.how, data, n, count, out);
    free(data);
}

/* Return the number of this rank's first result among the elements that are put. */
static size_t first_of(const struct uno_watched_call *call, const struct uno_comm *c) {
    size_t first = 0;
    if (call->code == UNO_MPI_REDUCE_SCATTER_BLOCK)
        return (size_t)call->in_count * (size_t)c->rank;
    for (int r = 0; call->code == UNO_MPI_REDUCE_SCATTER && r < c->rank; r++)
        first += (size_t)uno_count_of(&call->out_counts, r);
    return first;
}

/* Return true if one block is right. */
static bool compare(const struct uno_watched_call *call, const struct uno_comm *c, int block) {
    const struct uno_datatype *t = uno_datatype_of(call->out_type);
    MPI_Count at, elements;
    block_of(call, c, block, &at, &elements);
    if (elements <= 0 || !t->layout.size || (call->code == UNO_MPI_EXSCAN && c->rank == 0))
        return true;
    size_t count = (size_t)elements, first = first_of(call, c), element = 0;
    ptrdiff_t place = (ptrdiff_t)at * t->layout.extent;
    char *ours = uno_base_allocate(count, t->layout.size), *theirs = uno_base_allocate(count, t->layout.size);
    pack((char *)call->out + place, elements, t, ours);
    pack((char *)call->copy + place, elements, t, theirs);
    bool combined = combines(call->code);
    if (combined && uno_operator_of(call->op) == UNO_OPERATORS)
        combine_in_order(call, c, t, first, count, theirs);
    bool same = !memcmp(ours, theirs, count * t->layout.size);
    if (!same && combined && is_real(t)) {
        same = is_near(call, c, t, ours, theirs, count, first, &element);
    } else if (!same) {
        while (!memcmp(ours + element * t->layout.size, theirs + element * t->layout.size, t->layout.size))
            element++;
    }
    if (!same)
        complain(call, c, block, element, t, ours, theirs);
    free(ours);
    free(theirs);
    return same;
}

static void count_up(uno_atomic64 *number) {
    uno_store64_relaxed(number, uno_load64_relaxed(number) + 1);
}

void uno_check_compare(struct uno_watched_call *call) {
    const struct uno_comm *c = uno_comm_of(call->comm);
    bool same = true;
    for (int i = 0; receives(call, c) && i < blocks_of(call, c); i++)
        same &= compare(call, c, i);
    if (c->rank == 0)
        count_up(&compared);
    if (!same)
        count_up(&different);
    free(call->memory);
    free(call->puts);
}

void uno_check_counts(uint64_t *all, uint64_t *wrong) {
    *all = uno_load64_relaxed(&compared);
    *wrong = uno_load64_relaxed(&different);
}

void uno_check_end(void) {
    if (!uno_settings.check)
        return;
    unsigned long long own = uno_load64_relaxed(&different), all;
    HOST(Allreduce)(&own, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (all && uno_node.world_rank == 0)
        uno_base_fail("check: %llu results differ from the host's", all);
}

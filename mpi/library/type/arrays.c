/* Data types that are parts of arrays: MPI_Type_create_subarray, and MPI_Type_create_darray, a rank's part of
 * a distributed array. Each consists of one part, of a type of nested vectors. */

#include <limits.h>
#include <stdlib.h>

#include "library/calls.h"
#include "library/type/datatype.h"

/* An array of `dims` dimensions, handled from the fastest one on: number d is dimension `fast` + d * `way` of
 * the program's. */
struct array {
    int fast, way;
    MPI_Count step; /* bytes from one element to the next of the dimension that is taken next */
    MPI_Count at;   /* of the first element that is in the part */
    /* the type of the parts taken in the faster dimensions; NULL: it cannot be made */
    struct uno_mpi_type *taken;
};

static struct array start(int dims, int order, struct uno_mpi_type *oldtype) {
    bool c = order == MPI_ORDER_C;
    return (struct array){.fast = c ? dims - 1 : 0,
                          .way = c ? -1 : 1,
                          .step = oldtype->layout.extent,
                          .taken = uno_object_hold(oldtype)};
}

static void replace(struct array *a, struct uno_mpi_type *taken) {
    uno_object_drop(a->taken);
    a->taken = taken;
}

/* Select, in the next dimension, of `whole` elements, `count` from `first` on. */
static void take(struct array *a, MPI_Count whole, MPI_Count first, MPI_Count count) {
    if (a->taken)
        replace(a, uno_type_vector(count, 1, a->step, a->taken));
    a->at += first * a->step;
    a->step *= whole;
}

/* Finish a type whose contents have room for the one part; its bounds are those of the whole array. */
static int give(const struct array *a, struct uno_mpi_type *made, struct uno_mpi_type *oldtype,
                MPI_Datatype *newtype) {
    made->part = a->taken ? malloc(sizeof *made->part) : NULL;
    if (made->part) {
        *made->part = (struct uno_part){a->at, 1, a->taken};
        made->parts = 1;
    }
    made->contents.type[0] = uno_object_hold(oldtype);
    if (!made->part || !uno_type_settle(made)) {
        uno_object_drop(made);
        return uno_error(MPI_ERR_NO_MEM, "the array is too large for this machine's memory");
    }
    uno_type_bound(made, 0, a->step);
    *newtype = (MPI_Datatype)made->object.handle;
    return MPI_SUCCESS;
}

static int no_memory(void) {
    return uno_error(MPI_ERR_NO_MEM, "out of memory");
}

static int check_shape(int ndims, int order) {
    if (ndims < 1)
        return uno_error(MPI_ERR_ARG, "ndims is %d; an array has at least one dimension", ndims);
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
        return uno_error(MPI_ERR_ARG, "order is %d; it is MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
    return MPI_SUCCESS;
}

/* Begin the contents: integers, of which some are numbers of the array that are large counts in the large
 * form. */
static struct uno_mpi_type *begin(int combiner, bool large, MPI_Count integers, MPI_Count numbers) {
    struct uno_mpi_type *made = uno_type_begin(combiner, false, large ? integers : integers + numbers, 0, 1);
    if (!made || !large)
        return made;
    made->contents.count = malloc((size_t)numbers * sizeof *made->contents.count);
    made->contents.counts = numbers;
    if (made->contents.count)
        return made;
    uno_object_drop(made);
    return NULL;
}

/* The places for the next contents. */
struct contents {
    int *integer;
    MPI_Count *count; /* NULL: numbers of the array are integers, too */
};

static void put(struct contents *c, int n, struct uno_numbers numbers) {
    for (int i = 0; i < n; i++)
        if (c->count)
            *c->count++ = uno_number(numbers, i);
        else
            *c->integer++ = (int)uno_number(numbers, i);
}

static void put_integers(struct contents *c, int n, const int *numbers) {
    for (int i = 0; i < n; i++)
        *c->integer++ = numbers[i];
}

/* ---- a box of it --------------------------------------------------------------------------------------- */

int uno_mpi_type_create_subarray(int ndims, struct uno_numbers array_of_sizes,
                                 struct uno_numbers array_of_subsizes, struct uno_numbers array_of_starts,
                                 int order, struct uno_mpi_type *oldtype, MPI_Datatype *newtype, bool large) {
    int error = check_shape(ndims, order);
    for (int i = 0; i < ndims && !error; i++) {
        MPI_Count size = uno_number(array_of_sizes, i), part = uno_number(array_of_subsizes, i);
        MPI_Count first = uno_number(array_of_starts, i);
        if (size < 1 || part < 1 || part > size || first < 0 || first > size - part)
            error = uno_error(MPI_ERR_ARG,
                              "dimension %d has %lld elements, of which %lld from %lld on are asked for", i,
                              (long long)size, (long long)part, (long long)first);
    }
    struct uno_mpi_type *made = error ? NULL : begin(MPI_COMBINER_SUBARRAY, large, 2, 3 * (MPI_Count)ndims);
    if (!made)
        return error ? error : no_memory();
    struct contents c = {made->contents.integer, made->contents.count};
    put_integers(&c, 1, &ndims);
    put(&c, ndims, array_of_sizes);
    put(&c, ndims, array_of_subsizes);
    put(&c, ndims, array_of_starts);
    put_integers(&c, 1, &order);
    struct array a = start(ndims, order, oldtype);
    for (int d = 0, i = a.fast; d < ndims; d++, i += a.way)
        take(&a, uno_number(array_of_sizes, i), uno_number(array_of_starts, i),
             uno_number(array_of_subsizes, i));
    return give(&a, made, oldtype, newtype);
}

/* ---- a rank's part ---------------------------------------------------------------------------------------
 */

/* Select, in the next dimension, of `whole` elements in blocks of `block`, the blocks of process p of n. */
static void take_blocks(struct array *a, MPI_Count whole, MPI_Count block, MPI_Count p, MPI_Count n) {
    MPI_Count turn = block * n, first = p * block; /* elements in one turn of all processes */
    MPI_Count full = whole / turn, over = whole % turn - first;
    MPI_Count last = over < 0 ? 0 : over < block ? over : block; /* elements in the last turn */
    if (full == 0 || (full == 1 && last == 0)) {
        take(a, whole, first, full ? block : last);
        return;
    }
    struct uno_mpi_type *one = a->taken ? uno_type_vector(block, 1, a->step, a->taken) : NULL;
    struct uno_mpi_type *turns = one ? uno_type_vector(full, 1, turn * a->step, one) : NULL;
    struct uno_mpi_type *rest = turns ? uno_type_vector(last, 1, a->step, a->taken) : NULL;
    struct uno_mpi_type *both = rest ? uno_type_begin(MPI_COMBINER_STRUCT, true, 3, 2, 2) : NULL;
    uno_object_drop(one);
    replace(a, both);
    if (both) {
        MPI_Count k = 0, number[] = {2, 1, 1, 0, full * turn * a->step};
        both->contents.type[0] = turns;
        both->contents.type[1] = rest;
        uno_type_put_all(both, &k, (struct uno_numbers){number, true}, 5);
        if (!uno_type_settle(both))
            replace(a, NULL);
    } else {
        uno_object_drop(turns);
        uno_object_drop(rest);
    }
    a->at += first * a->step;
    a->step *= whole;
}

/* The distribution of one dimension. */
struct distribution {
    MPI_Count whole;
    int way, argument, processes;
};

/* Return the elements of a block; 0 and an error if the distribution is not valid. */
static MPI_Count block_of(const struct distribution *d, int i) {
    bool none = d->way == MPI_DISTRIBUTE_NONE, usual = d->argument == MPI_DISTRIBUTE_DFLT_DARG;
    MPI_Count n = d->processes, argument = d->argument;
    bool known = none || d->way == MPI_DISTRIBUTE_BLOCK || d->way == MPI_DISTRIBUTE_CYCLIC;
    bool valid = known && d->whole >= 1 && n >= 1 && (!none || n == 1) && (none || usual || argument >= 1);
    if (valid && d->way == MPI_DISTRIBUTE_BLOCK && !usual && argument < (d->whole + n - 1) / n)
        valid = false; /* its elements do not fit into one block of each process */
    if (!valid) {
        uno_error(MPI_ERR_ARG, "dimension %d, of %lld elements, cannot be given to %d processes that way", i,
                  (long long)d->whole, d->processes);
        return 0;
    }
    if (none)
        return d->whole;
    if (!usual)
        return argument;
    return d->way == MPI_DISTRIBUTE_BLOCK ? (d->whole + n - 1) / n : 1;
}

int uno_mpi_type_create_darray(int size, int rank, int ndims, struct uno_numbers array_of_gsizes,
                               const int array_of_distribs[], const int array_of_dargs[],
                               const int array_of_psizes[], int order, struct uno_mpi_type *oldtype,
                               MPI_Datatype *newtype, bool large) {
    int error = check_shape(ndims, order), all = 1;
    for (int i = 0; i < ndims && !error; i++) {
        struct distribution d = {uno_number(array_of_gsizes, i), array_of_distribs[i], array_of_dargs[i],
                                 array_of_psizes[i]};
        if (!block_of(&d, i) || __builtin_mul_overflow(all, d.processes, &all))
            error = MPI_ERR_ARG;
    }
    if (!error && (all != size || rank < 0 || rank >= size))
        error =
            uno_error(MPI_ERR_ARG, "rank %d of %d, where array_of_psizes has %d processes", rank, size, all);
    struct uno_mpi_type *made =
        error ? NULL : begin(MPI_COMBINER_DARRAY, large, 3 * (MPI_Count)ndims + 4, ndims);
    if (!made)
        return error ? error : no_memory();
    struct contents c = {made->contents.integer, made->contents.count};
    put_integers(&c, 3, (int[]){size, rank, ndims});
    put(&c, ndims, array_of_gsizes);
    put_integers(&c, ndims, array_of_distribs);
    put_integers(&c, ndims, array_of_dargs);
    put_integers(&c, ndims, array_of_psizes);
    put_integers(&c, 1, &order);
    struct array a = start(ndims, order, oldtype);
    int place[ndims]; /* of the rank among the processes, whose last dimension is the fastest one */
    for (int i = ndims - 1; i >= 0; i--) {
        place[i] = rank % array_of_psizes[i];
        rank /= array_of_psizes[i];
    }
    for (int k = 0, i = a.fast; k < ndims; k++, i += a.way) {
        struct distribution d = {uno_number(array_of_gsizes, i), array_of_distribs[i], array_of_dargs[i],
                                 array_of_psizes[i]};
        take_blocks(&a, d.whole, block_of(&d, i), place[i], d.processes);
    }
    return give(&a, made, oldtype, newtype);
}

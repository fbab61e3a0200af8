#include "library/type/datatype.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/object/attributes.h"
#include "library/type/parts.h"
#include "library/type/sequence.h"

/* ---- packing ----------------------------------------------------------------------------------------- */

static const struct uno_mpi_type *type_from(const struct uno_layout *layout) {
    return (const struct uno_mpi_type *)(const void *)((const char *)layout -
                                                       offsetof(struct uno_mpi_type, layout));
}

void uno_type_pack(const struct uno_layout *layout, const void *in, size_t count, void *bytes) {
    const struct uno_mpi_type *t = type_from(layout);
    struct uno_pattern all = uno_pattern_repeat((MPI_Count)count, layout->extent, &t->pattern);
    uno_pattern_pack(&all, in, all.bytes, bytes);
}

void uno_type_unpack(const struct uno_layout *layout, const void *bytes, size_t count, void *out) {
    uno_type_unpack_part(type_from(layout), bytes, count * layout->size, out);
}

void uno_type_unpack_part(const struct uno_mpi_type *t, const void *bytes, size_t size, void *out) {
    const struct uno_layout *layout = &t->layout;
    size_t count = layout->size ? (size + layout->size - 1) / layout->size : 0;
    struct uno_pattern all = uno_pattern_repeat((MPI_Count)count, layout->extent, &t->pattern);
    uno_pattern_unpack(&all, out, (MPI_Count)size, bytes);
}

/* ---- contents ---------------------------------------------------------------------------------------- */

void uno_type_release(void *object) {
    struct uno_mpi_type *t = object;
    struct uno_contents *c = &t->contents;
    uno_attributes_end(&t->object);
    for (MPI_Count i = 0; i < c->types && c->type; i++)
        uno_object_drop(c->type[i]);
    for (int i = 0; i < t->parts; i++)
        uno_object_drop(t->part[i].type);
    free(t->part);
    free(c->integer);
    free(c->address);
    free(c->count);
    free(c->type);
    free(t->lists);
}

struct uno_mpi_type *uno_type_begin(int combiner, bool large, MPI_Count numbers, MPI_Count addresses,
                                    MPI_Count types) {
    struct uno_mpi_type *t = uno_object_make(UNO_TYPE, sizeof *t, 0, uno_type_release);
    struct uno_contents *c = &t->contents;
    *c = (struct uno_contents){.combiner = combiner,
                               .integers = large ? 0 : numbers,
                               .addresses = large ? 0 : addresses,
                               .counts = large ? numbers + addresses : 0,
                               .types = types};
    if (c->integers)
        c->integer = malloc((size_t)c->integers * sizeof *c->integer);
    if (c->addresses)
        c->address = malloc((size_t)c->addresses * sizeof *c->address);
    if (c->counts)
        c->count = malloc((size_t)c->counts * sizeof *c->count);
    if (types)
        c->type = calloc((size_t)types, sizeof *c->type);
    if (!(c->integer || !c->integers) || !(c->address || !c->addresses) || !(c->count || !c->counts) ||
        !(c->type || !types)) {
        uno_object_drop(t);
        return NULL;
    }
    return t;
}

void uno_type_put(struct uno_mpi_type *t, MPI_Count *k, MPI_Count number) {
    struct uno_contents *c = &t->contents;
    if (c->counts)
        c->count[*k] = number;
    else if (*k < c->integers)
        c->integer[*k] = (int)number;
    else
        c->address[*k - c->integers] = number;
    ++*k;
}

void uno_type_put_all(struct uno_mpi_type *t, MPI_Count *k, struct uno_numbers numbers, MPI_Count n) {
    for (MPI_Count i = 0; i < n; i++)
        uno_type_put(t, k, uno_number(numbers, i));
}

/* ---- bounds ------------------------------------------------------------------------------------------ */

static bool has_steps(const struct uno_mpi_type *t) {
    return t->contents.combiner == MPI_COMBINER_VECTOR || t->contents.combiner == MPI_COMBINER_HVECTOR;
}

struct bound {
    bool any, set; /* set: by the program, which counts alone then */
    MPI_Count at;
};

/* Extend a bound. way: 1 for an upper bound, -1 for a lower one. */
static void reach(struct bound *b, int way, bool set, MPI_Count at) {
    if (b->any && b->set > set)
        return;
    if (!b->any || set > b->set || (at - b->at) * way > 0)
        *b = (struct bound){true, set, at};
}

/* Find the bounds of the type. An explicit bound is that of a resized type, or a mark of MPI-1, which is a
 * lower or an upper bound alone and has no data. */
static void find_bounds(struct uno_mpi_type *t) {
    struct bound low = {0}, high = {0}, true_low = {0}, true_high = {0};
    MPI_Count n = uno_type_parts(t), stride = has_steps(t) && n > 1 ? n - 1 : 1;
    t->alignment = 1;
    for (MPI_Count i = 0; i < n; i += stride) { /* of steps the first and the last one */
        struct uno_part part = uno_type_part(t, i);
        const struct uno_mpi_type *of = part.type;
        if (!part.count || (!of->elements && !of->low_set && !of->high_set))
            continue;
        MPI_Count last = (part.count - 1) * of->layout.extent;
        MPI_Count first = part.at + (last < 0 ? last : 0), end = part.at + (last > 0 ? last : 0);
        t->alignment = of->alignment > t->alignment ? of->alignment : t->alignment;
        if (of->elements || of->low_set)
            reach(&low, -1, of->low_set, first + of->low);
        if (of->elements || of->high_set)
            reach(&high, 1, of->high_set, end + of->low + of->layout.extent);
        if (of->layout.size) {
            reach(&true_low, -1, false, first + of->true_low);
            reach(&true_high, 1, false, end + of->true_low + of->layout.true_extent);
        }
    }
    t->low_set = low.set;
    t->high_set = high.set;
    t->low = low.at;
    t->layout.extent = high.at - low.at;
    t->true_low = true_low.at;
    t->layout.true_extent = true_high.at - true_low.at;
}

/* Compute the bytes and basic elements of one element. False: there are too many. */
static bool find_size(struct uno_mpi_type *t) {
    MPI_Count n = uno_type_parts(t), step = n && uno_type_parts_equal(t) ? n : 1, size = 0;
    t->elements = 0;
    for (MPI_Count i = 0; i < n; i += step) {
        struct uno_part part = uno_type_part(t, i);
        MPI_Count times, bytes, elements;
        if (__builtin_mul_overflow(part.count, step, &times) ||
            __builtin_mul_overflow(times, (MPI_Count)part.type->layout.size, &bytes) ||
            __builtin_add_overflow(size, bytes, &size) ||
            __builtin_mul_overflow(times, part.type->elements, &elements) ||
            __builtin_add_overflow(t->elements, elements, &t->elements))
            return false;
    }
    t->layout.size = (size_t)size;
    return true;
}

/* ---- pattern -----------------------------------------------------------------------------------------  */

static struct uno_pattern pattern_of(const struct uno_mpi_type *t, MPI_Count i) {
    struct uno_part part = uno_type_part(t, i);
    struct uno_pattern s = uno_pattern_repeat(part.count, part.type->layout.extent, &part.type->pattern);
    s.at += part.at;
    return s;
}

/* The runs of a type all of whose parts are runs; adjacent ones become one. */
struct runs {
    MPI_Count n;
    struct uno_segment first, last;
    MPI_Count step;          /* from the first to the second */
    bool all, even, regular; /* there is nothing else; they are of one length; at one step from each other */
    MPI_Count *spot;         /* to be filled in, or NULL */
    struct uno_segment *run; /* the same */
};

/* Complete the last run. */
static void end_run(struct runs *r, MPI_Count before) {
    if (r->n == 1)
        r->first = r->last;
    if (r->n == 2)
        r->step = r->last.at - r->first.at;
    r->even &= r->last.bytes == r->first.bytes;
    r->regular &= r->n == 1 || r->last.at - before == r->step;
    if (r->spot)
        r->spot[r->n - 1] = r->last.at;
    if (r->run)
        r->run[r->n - 1] = r->last;
}

static void read_runs(const struct uno_mpi_type *t, struct runs *r) {
    MPI_Count parts = uno_type_parts(t), before = 0;
    r->n = 0;
    r->all = r->even = r->regular = true;
    for (MPI_Count i = 0; i < parts && r->all; i++) {
        struct uno_pattern s = pattern_of(t, i);
        r->all = s.kind == UNO_RUN;
        if (!s.bytes || !r->all)
            continue;
        if (r->n && r->last.at + r->last.bytes == s.at) {
            r->last.bytes += s.bytes;
            continue;
        }
        if (r->n) {
            end_run(r, before);
            before = r->last.at;
        }
        r->n++;
        r->last = (struct uno_segment){s.at, s.bytes};
    }
    if (r->n && r->all)
        end_run(r, before);
}

/* Make the pattern of parts that are runs. False: memory is short. */
static bool pattern_of_runs(struct uno_mpi_type *t, struct runs *r) {
    struct uno_pattern *run;
    t->pattern = (struct uno_pattern){
        .kind = UNO_RUN, .at = r->n ? r->first.at : 0, .bytes = r->n ? r->first.bytes : 0};
    if (r->n <= 1)
        return true;
    if (r->even && r->regular) {
        run = t->lists = malloc(sizeof *run);
        if (!run)
            return false;
        *run = t->pattern;
        run->at = 0;
        t->pattern = uno_pattern_repeat(r->n, r->step, run);
        t->pattern.at = r->first.at;
        return true;
    }
    t->pattern = (struct uno_pattern){.bytes = (MPI_Count)t->layout.size, .count = r->n};
    if (r->even) {
        t->pattern.kind = UNO_SPOTS;
        t->pattern.block = r->first.bytes;
        t->pattern.spot = r->spot = t->lists = malloc((size_t)r->n * sizeof *r->spot);
    } else {
        t->pattern.kind = UNO_BLOCKS;
        t->pattern.run = r->run = t->lists = malloc((size_t)r->n * sizeof *r->run);
    }
    if (t->lists)
        read_runs(t, r);
    return t->lists != NULL;
}

static bool pattern_of_list(struct uno_mpi_type *t, MPI_Count parts) {
    struct uno_pattern *list = t->lists = malloc((size_t)parts * sizeof *list);
    MPI_Count n = 0;
    for (MPI_Count i = 0; list && i < parts; i++) {
        list[n] = pattern_of(t, i);
        n += list[n].bytes > 0;
    }
    t->pattern =
        (struct uno_pattern){.kind = UNO_LIST, .bytes = (MPI_Count)t->layout.size, .count = n, .of = list};
    return list != NULL;
}

static bool find_pattern(struct uno_mpi_type *t) {
    MPI_Count n = uno_type_parts(t);
    t->pattern = (struct uno_pattern){.kind = UNO_RUN};
    if (n == 1)
        t->pattern = pattern_of(t, 0);
    if (n <= 1)
        return true;
    if (has_steps(t)) {
        struct uno_pattern *one = t->lists = malloc(sizeof *one);
        if (!one)
            return false;
        *one = pattern_of(t, 0);
        t->pattern = uno_pattern_repeat(n, uno_type_part(t, 1).at, one);
        return true;
    }
    struct runs runs = {0};
    read_runs(t, &runs);
    return runs.all ? pattern_of_runs(t, &runs) : pattern_of_list(t, n);
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static void fill_layout(struct uno_mpi_type *t) {
    struct uno_layout *l = &t->layout;
    l->plain =
        l->size == 0 || (t->pattern.kind == UNO_RUN && t->pattern.at == 0 && l->extent == (ptrdiff_t)l->size);
    l->pack = uno_type_pack;
    l->unpack = uno_type_unpack;
}

bool uno_type_settle(struct uno_mpi_type *t) {
    if (!find_size(t))
        return false;
    find_bounds(t);
    if (!find_pattern(t))
        return false;
    fill_layout(t);
    t->sequence = uno_sequence_of(t);
    t->mark = UNO_SEQUENCE_MARK(t->sequence);
    return true;
}

void uno_type_bound(struct uno_mpi_type *t, MPI_Count low, MPI_Count extent) {
    t->low = low;
    t->layout.extent = extent;
    t->low_set = t->high_set = true;
    fill_layout(t);
}

struct uno_mpi_type *uno_type_vector(MPI_Count count, MPI_Count length, MPI_Count step,
                                     struct uno_mpi_type *of) {
    struct uno_mpi_type *t = uno_type_begin(MPI_COMBINER_HVECTOR, true, 2, 1, 1);
    MPI_Count k = 0;
    if (!t)
        return NULL;
    uno_type_put(t, &k, count);
    uno_type_put(t, &k, length);
    uno_type_put(t, &k, step);
    t->contents.type[0] = uno_object_hold(of);
    if (uno_type_settle(t))
        return t;
    uno_object_drop(t);
    return NULL;
}

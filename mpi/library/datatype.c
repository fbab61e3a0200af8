#include "library/datatype.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "library/attributes.h"

/* ---- packing ----------------------------------------------------------------------------------------- */

static const struct uno_mpi_type *type_from(const struct uno_layout *layout) {
    return (const struct uno_mpi_type *)(const void *)((const char *)layout -
                                                       offsetof(struct uno_mpi_type, layout));
}

void uno_type_pack(const struct uno_layout *layout, const void *in, size_t count, void *bytes) {
    const struct uno_mpi_type *t = type_from(layout);
    const char *from = in;
    char *to = bytes;
    for (size_t i = 0; i < count; i++, from += layout->extent)
        for (size_t r = 0; r < t->runs; r++) {
            memcpy(to, from + t->run[r].at, (size_t)t->run[r].bytes);
            to += t->run[r].bytes;
        }
}

void uno_type_unpack(const struct uno_layout *layout, const void *bytes, size_t count, void *out) {
    uno_type_unpack_part(type_from(layout), bytes, count * layout->size, out);
}

void uno_type_unpack_part(const struct uno_mpi_type *t, const void *bytes, size_t size, void *out) {
    const char *from = bytes, *end = from + size;
    for (char *to = out; from < end; to += t->layout.extent)
        for (size_t r = 0; r < t->runs && from < end; r++) {
            size_t some = uno_least((size_t)t->run[r].bytes, (size_t)(end - from));
            memcpy(to + t->run[r].at, from, some);
            from += some;
        }
}

/* ---- a type of parts --------------------------------------------------------------------------------- */

/* Runs that follow each other in memory are one. */
static void add_run(struct uno_mpi_type *t, MPI_Count at, MPI_Count bytes) {
    struct uno_segment *last = t->runs ? &t->run[t->runs - 1] : NULL;
    if (!bytes)
        return;
    if (last && last->at + last->bytes == at)
        last->bytes += bytes;
    else
        t->run[t->runs++] = (struct uno_segment){at, bytes};
}

static void add_basic(struct uno_mpi_type *t, struct uno_basic basic) {
    struct uno_basic *last = t->basics ? &t->basic[t->basics - 1] : NULL;
    if (last && last->bytes == basic.bytes)
        last->count += basic.count;
    else
        t->basic[t->basics++] = basic;
}

static void add(struct uno_mpi_type *t, const struct uno_part *part) {
    const struct uno_mpi_type *of = part->type;
    bool whole = of->layout.plain;
    MPI_Count times = whole ? part->count > 0 : part->count, size = (MPI_Count)of->layout.size;
    for (MPI_Count i = 0; i < times; i++) {
        MPI_Count at = part->at + i * of->layout.extent;
        for (size_t r = 0; r < of->runs && !whole; r++)
            add_run(t, at + of->run[r].at, of->run[r].bytes);
        if (whole)
            add_run(t, at, size * part->count);
    }
    for (MPI_Count i = 0; i < part->count; i++)
        for (size_t b = 0; b < of->basics; b++) {
            bool all = of->basics == 1; /* one size alone */
            add_basic(t,
                      (struct uno_basic){of->basic[b].bytes, of->basic[b].count * (all ? part->count : 1)});
            if (all)
                return;
        }
}

/* Room for its runs and basic elements. False: they are too many. */
static bool make_room(struct uno_mpi_type *t, size_t parts, const struct uno_part *part) {
    size_t runs = 1, basics = 1, most = SIZE_MAX / 64;
    for (size_t i = 0; i < parts; i++) {
        size_t times = (size_t)part[i].count;
        if (times &&
            (part[i].type->runs > (most - runs) / times || part[i].type->basics > (most - basics) / times))
            return false;
        runs += part[i].type->layout.plain ? 1 : times * part[i].type->runs;
        basics += part[i].type->basics == 1 ? 1 : times * part[i].type->basics;
    }
    t->run = malloc(runs * sizeof *t->run);
    t->basic = malloc(basics * sizeof *t->basic);
    return t->run && t->basic;
}

static MPI_Count lesser(MPI_Count a, MPI_Count b) {
    return a < b ? a : b;
}
static MPI_Count greater(MPI_Count a, MPI_Count b) {
    return a > b ? a : b;
}

/* From where to where it reaches; of no parts 0. */
static void find_bounds(struct uno_mpi_type *t, size_t parts, const struct uno_part *part) {
    MPI_Count low = INT64_MAX, high = INT64_MIN, true_low = INT64_MAX, true_high = INT64_MIN;
    for (size_t i = 0; i < parts; i++) {
        const struct uno_mpi_type *of = part[i].type;
        if (!part[i].count)
            continue;
        MPI_Count last = (part[i].count - 1) * of->layout.extent, first = lesser(0, last);
        last = greater(0, last);
        low = lesser(low, part[i].at + first + of->low);
        high = greater(high, part[i].at + last + of->low + of->layout.extent);
        if (of->layout.size) {
            true_low = lesser(true_low, part[i].at + first + of->true_low);
            true_high = greater(true_high, part[i].at + last + of->true_low + of->layout.true_extent);
        }
    }
    t->low = low <= high ? low : 0;
    t->layout.extent = low <= high ? high - low : 0;
    t->true_low = true_low <= true_high ? true_low : 0;
    t->layout.true_extent = true_low <= true_high ? true_high - true_low : 0;
}

void uno_type_settle(struct uno_mpi_type *t) {
    struct uno_layout *l = &t->layout;
    l->plain = l->size == 0 || (t->runs == 1 && t->run[0].at == 0 && l->extent == (ptrdiff_t)l->size);
    l->pack = uno_type_pack;
    l->unpack = uno_type_unpack;
}

static void release(void *object) {
    struct uno_mpi_type *t = object;
    uno_attributes_end(&t->object);
    free(t->run);
    free(t->basic);
}

struct uno_mpi_type *uno_type_of(size_t parts, const struct uno_part *part) {
    struct uno_mpi_type *t = uno_object_make(UNO_TYPE, 0, release);
    if (!make_room(t, parts, part)) {
        uno_object_drop(t);
        return NULL;
    }
    t->alignment = 1;
    for (size_t i = 0; i < parts; i++) {
        add(t, &part[i]);
        if (part[i].type->alignment > t->alignment)
            t->alignment = part[i].type->alignment;
        t->layout.size += part[i].type->layout.size * (size_t)part[i].count;
    }
    find_bounds(t, parts, part);
    uno_type_settle(t);
    return t;
}

/* Descriptions of a program's data for the collectives: the layout of elements, their number, and for each
 * rank a number of its own. A view holds the packed bytes, which are the program's own where its elements lie
 * in memory as they are packed. */

#ifndef UNO_DATA_H
#define UNO_DATA_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collective/base.h"
#include "engine/job.h"

/* The layout of elements in memory. The host keeps one for each of its data types, inside a structure of its
 * own, where pack and unpack find what they need. */
struct uno_layout {
    size_t size;           /* bytes of one element's data; 0: operations on it are not done here */
    ptrdiff_t extent;      /* distance from one element to the next */
    ptrdiff_t true_extent; /* the reach of one element's data */
    bool plain; /* `count` elements are count * size bytes from the address on, in the order in which they are
                   packed */
    /* Copy `count` elements of a type that is not plain into packed bytes, and back. */
    void (*pack)(const struct uno_layout *layout, const void *in, size_t count, void *bytes);
    void (*unpack)(const struct uno_layout *layout, const void *bytes, size_t count, void *out);
};

/* The layout of packed bytes. */
extern const struct uno_layout uno_layout_bytes;

/* Elements at an address: `count` of them, or of each block where several blocks are described. For a type
 * that is not plain the address may be null. */
struct uno_data {
    void *at;
    size_t count;
    const struct uno_layout *layout;
};

/* Counts and displacements by rank, in extents: numbers of type int, or, if `large`, of 64 bits. */
struct uno_counts {
    const void *count, *displacement;
    bool large;
};

typedef int64_t __attribute__((may_alias)) uno_large;

static inline int64_t uno_count_of(const struct uno_counts *c, int r) {
    return c->large ? ((const uno_large *)c->count)[r] : ((const int *)c->count)[r];
}

static inline ptrdiff_t uno_displacement_of(const struct uno_counts *c, int r) {
    return c->large ? ((const uno_large *)c->displacement)[r] : ((const int *)c->displacement)[r];
}

/* Elements for each rank, each with a count and a place of its own. */
struct uno_varied {
    void *at;
    struct uno_counts counts;
    const struct uno_layout *layout;
};

/* Return the bytes of `count` elements; for a count that is out of range, more bytes than are ever handled
 * here. */
static inline size_t uno_bytes_of(int64_t count, const struct uno_layout *t) {
    return count < 0 || count > INT_MAX || t->size > INT_MAX ? (size_t)INT64_MAX / UNO_MAX_PES
                                                             : (size_t)count * t->size;
}

/* Elements as packed bytes: the program's own if their type is plain, otherwise a copy. */
struct uno_view {
    char *bytes;
    void *memory; /* the copy, or NULL */
    struct uno_data data;
};

/* Open a view that will be filled with packed bytes. */
static inline struct uno_view uno_view_out(void *at, size_t count, const struct uno_layout *layout) {
    struct uno_view v = {.bytes = at, .data = {at, count, layout}};
    if (!layout->plain)
        v.bytes = v.memory = uno_base_allocate(count * layout->size, 1);
    return v;
}

static inline struct uno_view uno_view_in(const void *at, size_t count, const struct uno_layout *layout) {
    struct uno_view v = uno_view_out((void *)at, count, layout);
    if (v.memory)
        layout->pack(layout, at, count, v.memory);
    return v;
}

/* Unpack `count` elements, from number `from` on, to the program's memory. */
static inline void uno_view_unpack(const struct uno_view *v, size_t from, size_t count) {
    const struct uno_layout *layout = v->data.layout;
    if (v->memory && count)
        layout->unpack(layout, v->bytes + from * layout->size, count,
                       (char *)v->data.at + (ptrdiff_t)from * layout->extent);
}

static inline void uno_view_drop(struct uno_view *v) {
    free(v->memory);
}

#endif

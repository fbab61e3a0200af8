#include "heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, CUT = 1 << 20 /* bytes that are cut into small pieces at once */ };

static bool make_room(void **array, size_t *room, size_t count, size_t size) {
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 16;
    void *grown = realloc(*array, more * size);
    if (grown) {
        *array = grown;
        *room = more;
    }
    return grown;
}

static bool insert(struct uno_heap *heap, size_t i, struct uno_extent extent) {
    void *array = heap->extent;
    bool done = make_room(&array, &heap->extents_room, heap->extents, sizeof extent);
    heap->extent = array;
    if (!done)
        return false;
    memmove(&heap->extent[i + 1], &heap->extent[i], (heap->extents++ - i) * sizeof extent);
    heap->extent[i] = extent;
    return true;
}

static void drop(struct uno_heap *heap, size_t i) {
    memmove(&heap->extent[i], &heap->extent[i + 1], (--heap->extents - i) * sizeof *heap->extent);
}

/* The extent that is taken for so many whole lines; NULL: there is no room. */
static struct uno_extent *take(struct uno_heap *heap, size_t bytes) {
    size_t i = 0;
    while (i < heap->extents && (heap->extent[i].taken || heap->extent[i].bytes < bytes))
        i++;
    if (i == heap->extents) {
        struct uno_extent last = {.at = heap->top, .bytes = bytes};
        if (bytes > heap->size - heap->top || !insert(heap, i, last))
            return NULL;
        heap->top += bytes;
    }
    struct uno_extent *found = &heap->extent[i];
    struct uno_extent rest = {.at = found->at + bytes, .bytes = found->bytes - bytes};
    if (rest.bytes && !insert(heap, i + 1, rest))
        return NULL;
    heap->extent[i].bytes = bytes;
    heap->extent[i].taken = true;
    return &heap->extent[i];
}

/* The index of the extent that the address is in; behind the last one: of that. There is at least one. */
static size_t find(const struct uno_heap *heap, const void *data) {
    size_t at = (uintptr_t)data - (uintptr_t)heap->base, low = 0, high = heap->extents;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (heap->extent[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void give(struct uno_heap *heap, size_t low) {
    struct uno_extent *extent = &heap->extent[low];
    extent->taken = false;
    extent->size = 0;
    if (low + 1 < heap->extents && !extent[1].taken) {
        extent->bytes += extent[1].bytes;
        drop(heap, low + 1);
    }
    if (low && !extent[-1].taken) {
        extent[-1].bytes += extent->bytes;
        drop(heap, low--);
    }
    if (low + 1 == heap->extents) { /* the last one: nothing is beyond */
        heap->top = heap->extent[low].at;
        heap->extents--;
    }
}

/* It is cut, and nobody uses any of its pieces. */
static bool all_free(const struct uno_extent *extent) {
    return extent->size && extent->free == (size_t)CUT >> extent->size;
}

static void forget_pieces(struct uno_heap *heap, unsigned i) {
    size_t left = 0;
    for (size_t p = 0; p < heap->piece[i].count; p++) {
        void *data = heap->piece[i].data[p];
        if (!all_free(&heap->extent[find(heap, data)]))
            heap->piece[i].data[left++] = data;
    }
    heap->piece[i].count = left;
}

/* Give the cuts back all of whose pieces are free. Whether there were any. This looks at every free piece; so
 * it is done only when the heap is full, and only if that can have changed since it was last done. */
static bool give_cuts(struct uno_heap *heap) {
    bool any = false;
    if (!heap->given)
        return false;
    heap->given = false;
    for (size_t e = 0; e < heap->extents; e++)
        heap->extent[e].free = 0;
    for (unsigned i = 0; i < UNO_PIECES; i++)
        for (size_t p = 0; p < heap->piece[i].count; p++)
            heap->extent[find(heap, heap->piece[i].data[p])].free++;
    for (unsigned i = 0; i < UNO_PIECES; i++)
        forget_pieces(heap, i);
    for (size_t e = heap->extents; e-- > 0;) /* what becomes one with those behind it stays before them */
        if (all_free(&heap->extent[e])) {
            give(heap, e);
            any = true;
        }
    return any;
}

static struct uno_extent *take_or_make_room(struct uno_heap *heap, size_t bytes) {
    struct uno_extent *extent = take(heap, bytes);
    return extent || !give_cuts(heap) ? extent : take(heap, bytes);
}

void *uno_heap_take(struct uno_heap *heap, size_t bytes) {
    size_t whole = bytes < LINE ? LINE : (bytes + LINE - 1) / LINE * LINE;
    struct uno_extent *extent = whole < bytes ? NULL : take_or_make_room(heap, whole);
    return extent ? heap->base + extent->at : NULL;
}

size_t uno_heap_give(struct uno_heap *heap, const void *data) {
    size_t i = heap->extents ? find(heap, data) : 0;
    const struct uno_extent *extent = &heap->extent[i];
    if (!heap->extents || heap->base + extent->at != data || !extent->taken || extent->size)
        return 0;
    size_t bytes = extent->bytes;
    give(heap, i);
    return bytes;
}

bool uno_piece_give(struct uno_heap *heap, void *data, unsigned size) {
    unsigned i = size - UNO_PIECE_LEAST;
    void *array = heap->piece[i].data;
    bool done = make_room(&array, &heap->piece[i].room, heap->piece[i].count, sizeof(void *));
    heap->piece[i].data = array;
    if (done)
        heap->piece[i].data[heap->piece[i].count++] = data;
    heap->given = true;
    return done;
}

void *uno_piece_take(struct uno_heap *heap, unsigned size) {
    unsigned i = size - UNO_PIECE_LEAST;
    if (!heap->piece[i].count) {
        struct uno_extent *cut = take_or_make_room(heap, CUT);
        if (!cut)
            return NULL;
        cut->size = size;
        char *end = heap->base + cut->at + CUT;
        for (size_t at = 0; at < CUT; at += (size_t)1 << size)
            if (!uno_piece_give(heap, end - at - ((size_t)1 << size), size))
                return NULL;
    }
    return heap->piece[i].count ? heap->piece[i].data[--heap->piece[i].count] : NULL;
}

void uno_heap_free(struct uno_heap *heap) {
    for (int i = 0; i < UNO_PIECES; i++)
        free(heap->piece[i].data);
    free(heap->extent);
}

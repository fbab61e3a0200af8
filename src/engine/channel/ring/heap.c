#include "heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, CUT = 1 << 20 /* bytes that are cut into small pieces at once */ };

static struct uno_extent *extent_of(const struct uno_heap *heap, const void *data) {
    return &heap->extents.extent[uno_extents_find(&heap->extents, (uintptr_t)data)];
}

/* It is cut, and nobody uses any of its pieces. */
static bool all_free(const struct uno_extent *extent) {
    return extent->size && extent->free == (size_t)CUT >> extent->size;
}

static void forget_pieces(struct uno_heap *heap, unsigned i) {
    size_t left = 0;
    for (size_t p = 0; p < heap->piece[i].count; p++) {
        void *data = heap->piece[i].data[p];
        if (!all_free(extent_of(heap, data)))
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
    for (size_t e = 0; e < heap->extents.count; e++)
        heap->extents.extent[e].free = 0;
    for (unsigned i = 0; i < UNO_PIECES; i++)
        for (size_t p = 0; p < heap->piece[i].count; p++)
            extent_of(heap, heap->piece[i].data[p])->free++;
    for (unsigned i = 0; i < UNO_PIECES; i++)
        forget_pieces(heap, i);
    for (size_t e = heap->extents.count;
         e-- > 0;) /* what becomes one with those behind it stays before them */
        if (all_free(&heap->extents.extent[e])) {
            uno_extents_give(&heap->extents, e);
            any = true;
        }
    return any;
}

static bool grow(struct uno_heap *heap, size_t bytes) {
    size_t got;
    char *memory = heap->grow(heap->owner, bytes, &got);
    if (memory && !uno_extents_add(&heap->extents, (uintptr_t)memory, got)) {
        heap->shrink(heap->owner, memory, got);
        return false;
    }
    return memory;
}

bool uno_heap_shrink(struct uno_heap *heap) {
    bool any = false;
    for (size_t e = heap->extents.count; e-- > 0;)
        if (uno_extents_unused(&heap->extents, e)) {
            struct uno_extent unused = heap->extents.extent[e];
            uno_extents_drop(&heap->extents, e);
            heap->shrink(heap->owner, (char *)(uintptr_t)unused.at, unused.bytes);
            any = true;
        }
    return any;
}

static struct uno_extent *take(struct uno_heap *heap, size_t bytes) {
    struct uno_extent *extent = uno_extents_take(&heap->extents, bytes);
    if (!extent && (grow(heap, bytes) || give_cuts(heap)))
        extent = uno_extents_take(&heap->extents, bytes);
    if (!extent && uno_heap_shrink(heap) && grow(heap, bytes))
        extent = uno_extents_take(&heap->extents, bytes);
    return extent;
}

void *uno_heap_take(struct uno_heap *heap, size_t bytes) {
    size_t whole = bytes < LINE ? LINE : (bytes + LINE - 1) / LINE * LINE;
    struct uno_extent *extent = whole < bytes ? NULL : take(heap, whole);
    return extent ? (void *)(uintptr_t)extent->at : NULL;
}

size_t uno_heap_give(struct uno_heap *heap, const void *data) {
    if (!heap->extents.count)
        return 0;
    size_t i = uno_extents_find(&heap->extents, (uintptr_t)data);
    struct uno_extent given = heap->extents.extent[i];
    if (given.at != (uintptr_t)data || !given.taken || given.size)
        return 0;
    uno_extents_give(&heap->extents, i);
    return given.bytes;
}

bool uno_pieces_grow(struct uno_heap *heap, unsigned size) {
    unsigned i = size - UNO_PIECE_LEAST;
    size_t room = heap->piece[i].room ? 2 * heap->piece[i].room : 16;
    void **grown = realloc(heap->piece[i].data, room * sizeof *grown);
    if (!grown)
        return false;
    heap->piece[i].data = grown;
    heap->piece[i].room = room;
    return true;
}

bool uno_pieces_cut(struct uno_heap *heap, unsigned size) {
    struct uno_extent *cut = take(heap, CUT);
    if (!cut)
        return false;
    cut->size = size;
    char *end = (char *)(uintptr_t)cut->at + CUT;
    for (size_t at = 0; at < CUT; at += (size_t)1 << size)
        if (!uno_piece_give(heap, end - at - ((size_t)1 << size), size))
            return false;
    return true;
}

void uno_heap_free(struct uno_heap *heap) {
    for (int i = 0; i < UNO_PIECES; i++)
        free(heap->piece[i].data);
    free(heap->extents.extent);
}

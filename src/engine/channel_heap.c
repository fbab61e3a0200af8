#include "channel_heap.h"

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

void *uno_heap_take(struct uno_heap *heap, size_t bytes) {
    size_t i = 0, whole = bytes < LINE ? LINE : (bytes + LINE - 1) / LINE * LINE;
    if (whole < bytes)
        return NULL;
    while (i < heap->extents && (heap->extent[i].taken || heap->extent[i].bytes < whole))
        i++;
    if (i == heap->extents) {
        struct uno_extent last = {heap->top, whole, true};
        if (whole > heap->size - heap->top || !insert(heap, i, last))
            return NULL;
        heap->top += whole;
        return heap->base + last.at;
    }
    struct uno_extent *found = &heap->extent[i], rest = {found->at + whole, found->bytes - whole, false};
    if (rest.bytes && !insert(heap, i + 1, rest))
        return NULL;
    heap->extent[i].bytes = whole;
    heap->extent[i].taken = true;
    return heap->base + heap->extent[i].at;
}

size_t uno_heap_give(struct uno_heap *heap, const void *data) {
    size_t at = (uintptr_t)data - (uintptr_t)heap->base, low = 0, high = heap->extents;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (heap->extent[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == heap->extents || heap->extent[low].at != at || !heap->extent[low].taken)
        return 0;
    struct uno_extent *extent = &heap->extent[low];
    size_t bytes = extent->bytes;
    extent->taken = false;
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
    return bytes;
}

bool uno_piece_give(struct uno_heap *heap, void *data, unsigned size) {
    unsigned i = size - UNO_PIECE_LEAST;
    void *array = heap->piece[i].data;
    bool done = make_room(&array, &heap->piece[i].room, heap->piece[i].count, sizeof(void *));
    heap->piece[i].data = array;
    if (done)
        heap->piece[i].data[heap->piece[i].count++] = data;
    return done;
}

void *uno_piece_take(struct uno_heap *heap, unsigned size) {
    unsigned i = size - UNO_PIECE_LEAST;
    if (!heap->piece[i].count) {
        char *cut = uno_heap_take(heap, CUT);
        for (size_t at = 0; cut && at < CUT; at += (size_t)1 << size)
            if (!uno_piece_give(heap, cut + CUT - at - ((size_t)1 << size), size))
                return NULL;
    }
    return heap->piece[i].count ? heap->piece[i].data[--heap->piece[i].count] : NULL;
}

void uno_heap_free(struct uno_heap *heap) {
    for (int i = 0; i < UNO_PIECES; i++)
        free(heap->piece[i].data);
    free(heap->extent);
}

/* The memory of one PE that all others reach: its buffer pool, and what a program allocates there. Only that
 * PE allocates and frees; what it knows about it is in memory of its own.
 *
 * Pieces of the pool are cut from the heap, many at once, and stay in their size as long as there is room;
 * where there is none, cuts all of whose pieces are free are given back first. */

#ifndef UNO_CHANNEL_HEAP_H
#define UNO_CHANNEL_HEAP_H

#include "engine/extents.h"

enum {
    UNO_PIECE_LEAST = 8, /* log2 of the smallest and the largest piece of the pool */
    UNO_PIECE_MOST = 16,
    UNO_PIECES = UNO_PIECE_MOST - UNO_PIECE_LEAST + 1,
};

struct uno_heap {
    struct uno_extents extents; /* of addresses */
    bool given;                 /* pieces, since cuts were last given back */
    struct {
        void **data;
        size_t count, room;
    } piece[UNO_PIECES]; /* free pieces of each size: the last that was freed is taken first */
    /* More memory, at least so many bytes: how many, in *got. NULL: there is none. And give back what that
     * has given; *got may have been the same. */
    char *(*grow)(void *owner, size_t bytes, size_t *got);
    void (*shrink)(void *owner, char *memory, size_t bytes);
    void *owner;
};

/* Return so many bytes, aligned to a cache line. NULL: there is no room. */
void *uno_heap_take(struct uno_heap *heap, size_t bytes);

/* Free memory that uno_heap_take has given to the program; neighbours that are free become one. Returns its
 * bytes; 0: uno_heap_take has not given it. */
size_t uno_heap_give(struct uno_heap *heap, const void *data);

/* Give back the memory that is not used at all, for which other memory may be had. Returns true if there was
 * any. */
bool uno_heap_shrink(struct uno_heap *heap);

/* Return log2 of the size of piece that holds so many bytes, at most 1 << UNO_PIECE_MOST. */
static inline unsigned uno_piece_size(size_t bytes) {
    return bytes <= 1 << UNO_PIECE_LEAST ? UNO_PIECE_LEAST : 64 - (unsigned)__builtin_clzl(bytes - 1);
}

/* The parts of the functions below that are not in line: cut more pieces, and have memory to remember more
 * that are free. Return false if there is no room. */
bool uno_pieces_cut(struct uno_heap *heap, unsigned size);
bool uno_pieces_grow(struct uno_heap *heap, unsigned size);

/* Return a piece of 1 << size bytes. NULL: there is no room. */
static inline void *uno_piece_take(struct uno_heap *heap, unsigned size) {
    unsigned i = size - UNO_PIECE_LEAST;
    return heap->piece[i].count || uno_pieces_cut(heap, size) ? heap->piece[i].data[--heap->piece[i].count]
                                                              : NULL;
}

/* Note that a piece is free. Returns true if there was memory to remember it. */
static inline bool uno_piece_give(struct uno_heap *heap, void *data, unsigned size) {
    unsigned i = size - UNO_PIECE_LEAST;
    if (heap->piece[i].count == heap->piece[i].room && !uno_pieces_grow(heap, size))
        return false;
    heap->piece[i].data[heap->piece[i].count++] = data;
    heap->given = true;
    return true;
}

/* Forget everything; the memory itself is its owner's. */
void uno_heap_free(struct uno_heap *heap);

#endif

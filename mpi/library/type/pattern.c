#include "library/type/pattern.h"

#include <stdlib.h>
#include <string.h>

struct uno_pattern uno_pattern_repeat(MPI_Count count, MPI_Count step, const struct uno_pattern *of) {
    struct uno_pattern s = *of;
    if (count == 0 || of->bytes == 0)
        return (struct uno_pattern){.kind = UNO_RUN};
    s.bytes *= count;
    bool run = of->kind == UNO_RUN && step == of->bytes;
    if (count == 1 || run)
        return s;
    if (of->kind == UNO_LOOP && step == of->step * of->count) {
        s.count *= count;
        return s;
    }
    return (struct uno_pattern){.kind = UNO_LOOP, .bytes = s.bytes, .count = count, .step = step, .of = of};
}

/* ---- pieces of one length ------------------------------------------------------------------------------ */

#define INLINE static inline __attribute__((always_inline))

/* `n` pieces of `bytes` bytes. In memory they are `step` bytes apart, or at spots; among packed bytes `apart`
 * bytes. */
struct pieces {
    MPI_Count n, bytes;
    char *memory;
    MPI_Count step;
    const MPI_Count *spot;
    char *packed;
    MPI_Count apart;
};

INLINE void move(bool packs, char *memory, char *packed, size_t bytes) {
    memcpy(packs ? packed : memory, packs ? memory : packed, bytes);
}

/* Copy pieces of `size` bytes; with `two`, of up to twice as many, by two moves that overlap. */
INLINE void walk(bool packs, bool spots, const struct pieces *p, size_t size, bool two) {
    char *memory = p->memory, *packed = p->packed;
    MPI_Count n = p->n, step = p->step, apart = p->apart, rest = p->bytes - (MPI_Count)size;
    for (MPI_Count i = 0; i < n; i++, packed += apart) {
        char *at = spots ? memory + p->spot[i] : memory;
        move(packs, at, packed, size);
        if (two)
            move(packs, at + rest, packed + rest, size);
        memory += spots ? 0 : step;
    }
}

INLINE void walk_any(bool packs, bool spots, const struct pieces *p) {
    switch (p->bytes) {
#define EXACTLY(size)                                                                                        \
    case size:                                                                                               \
        walk(packs, spots, p, size, false);                                                                  \
        return;
        EXACTLY(1)
        EXACTLY(2)
        EXACTLY(4)
        EXACTLY(8)
        EXACTLY(16)
        EXACTLY(32)
#undef EXACTLY
    default:
        break;
    }
    if (p->bytes < 4)
        walk(packs, spots, p, 2, true);
    else if (p->bytes < 8)
        walk(packs, spots, p, 4, true);
    else if (p->bytes < 16)
        walk(packs, spots, p, 8, true);
    else if (p->bytes < 32)
        walk(packs, spots, p, 16, true);
    else if (p->bytes < 64)
        walk(packs, spots, p, 32, true);
    else
        walk(packs, spots, p, (size_t)p->bytes, false);
}

static void copy_pieces(bool packs, const struct pieces *p) {
    if (packs && p->spot)
        walk_any(true, true, p);
    else if (packs)
        walk_any(true, false, p);
    else if (p->spot)
        walk_any(false, true, p);
    else
        walk_any(false, false, p);
}

/* Copy runs of different lengths, most of which are a few numbers. */
INLINE void copy_blocks(bool packs, const struct uno_pattern *s, char *memory, char *packed) {
    enum { NUMBER = 8, FEW_NUMBERS = 64 };
    for (MPI_Count i = 0; i < s->count; i++) {
        char *at = memory + s->run[i].at;
        MPI_Count bytes = s->run[i].bytes, done = 0;
        if (bytes < FEW_NUMBERS)
            for (; bytes - done >= NUMBER; done += NUMBER)
                move(packs, at + done, packed + done, NUMBER);
        if (done < bytes)
            move(packs, at + done, packed + done, (size_t)(bytes - done));
        packed += bytes;
    }
}

/* ---- patterns --------------------------------------------------------------------------------------------
 */

static void copy(bool packs, const struct uno_pattern *s, char *memory, char *packed);

enum {
    SMALL = 64,    /* bytes of a piece; copies of larger ones need no help */
    FEW = 32,      /* pieces of a pattern */
    LINES = 128,   /* bytes that are fetched together */
    NEAR = 1 << 13 /* bytes that stay in the nearest cache */
};

/* Return the place and length of piece j of a pattern, and in *before the packed bytes before it. */
static struct uno_segment piece_of(const struct uno_pattern *s, MPI_Count j, MPI_Count *before) {
    switch (s->kind) {
    case UNO_LOOP:
        *before = j * s->of->bytes;
        return (struct uno_segment){s->at + s->of->at + j * s->step, s->of->bytes};
    case UNO_SPOTS:
        *before = j * s->block;
        return (struct uno_segment){s->at + s->spot[j], s->block};
    default:
        *before = 0;
        for (MPI_Count i = 0; i < j; i++)
            *before += s->run[i].bytes;
        return (struct uno_segment){s->at + s->run[j].at, s->run[j].bytes};
    }
}

/* Return how many turns of a loop are copied together, first all first pieces, then all second ones; 0: none.
 * That is faster where a turn has few small pieces; and where pieces of one turn are farther from each other
 * than those of several, whose cache lines would otherwise be gone when the next turn comes to them. */
static MPI_Count together(const struct uno_pattern *loop) {
    const struct uno_pattern *of = loop->of;
    MPI_Count step = llabs(loop->step) + 1;
    bool runs =
        of->kind == UNO_SPOTS || of->kind == UNO_BLOCKS || (of->kind == UNO_LOOP && of->of->kind == UNO_RUN);
    if (!runs || of->bytes / of->count >= SMALL)
        return 0;
    if (of->count <= FEW)
        return NEAR / step > 8 ? NEAR / step : 8;
    bool across = of->kind == UNO_LOOP && llabs(loop->step) < LINES && llabs(of->step) >= LINES;
    return across ? 2 * LINES / step + 1 : 0;
}

static void copy_together(bool packs, const struct uno_pattern *loop, char *memory, char *packed,
                          MPI_Count some) {
    const struct uno_pattern *of = loop->of;
    for (MPI_Count i = 0; i < loop->count; i += some)
        for (MPI_Count j = 0; j < of->count; j++) {
            MPI_Count before;
            struct uno_segment piece = piece_of(of, j, &before);
            copy_pieces(packs, &(struct pieces){.n = loop->count - i < some ? loop->count - i : some,
                                                .bytes = piece.bytes,
                                                .memory = memory + i * loop->step + piece.at,
                                                .step = loop->step,
                                                .packed = packed + i * of->bytes + before,
                                                .apart = of->bytes});
        }
}

static void copy_loop(bool packs, const struct uno_pattern *s, char *memory, char *packed) {
    const struct uno_pattern *of = s->of;
    MPI_Count some = together(s);
    if (of->kind == UNO_RUN)
        copy_pieces(packs, &(struct pieces){.n = s->count,
                                            .bytes = of->bytes,
                                            .memory = memory + of->at,
                                            .step = s->step,
                                            .packed = packed,
                                            .apart = of->bytes});
    else if (some)
        copy_together(packs, s, memory, packed, some);
    else
        for (MPI_Count i = 0; i < s->count; i++)
            copy(packs, of, memory + i * s->step, packed + i * of->bytes);
}

static void copy(bool packs, const struct uno_pattern *s, char *memory, char *packed) {
    memory += s->at;
    switch (s->kind) {
    case UNO_RUN:
        move(packs, memory, packed, (size_t)s->bytes);
        break;
    case UNO_LOOP:
        copy_loop(packs, s, memory, packed);
        break;
    case UNO_SPOTS:
        copy_pieces(packs, &(struct pieces){.n = s->count,
                                            .bytes = s->block,
                                            .memory = memory,
                                            .spot = s->spot,
                                            .packed = packed,
                                            .apart = s->block});
        break;
    case UNO_BLOCKS:
        if (packs)
            copy_blocks(true, s, memory, packed);
        else
            copy_blocks(false, s, memory, packed);
        break;
    default:
        for (MPI_Count i = 0; i < s->count; packed += s->of[i++].bytes)
            copy(packs, &s->of[i], memory, packed);
    }
}

/* Copy the first `bytes` bytes, fewer than all: whole pieces, and a part of the next one. */
static void copy_part(bool packs, const struct uno_pattern *s, char *memory, char *packed, MPI_Count bytes) {
    static const struct uno_pattern run = {.kind = UNO_RUN};
    struct uno_pattern whole = *s;
    const struct uno_pattern *next = &run;
    MPI_Count i = 0, done = 0, at = 0;
    switch (s->kind) {
    case UNO_RUN:
        move(packs, memory + s->at, packed, (size_t)bytes);
        return;
    case UNO_LOOP:
        next = s->of;
        i = bytes / next->bytes;
        done = i * next->bytes;
        at = i * s->step;
        break;
    case UNO_SPOTS:
        i = bytes / s->block;
        done = i * s->block;
        at = s->spot[i];
        break;
    case UNO_BLOCKS:
        while (done + s->run[i].bytes <= bytes)
            done += s->run[i++].bytes;
        at = s->run[i].at;
        break;
    default:
        while (done + s->of[i].bytes <= bytes)
            done += s->of[i++].bytes;
        next = &s->of[i];
    }
    whole.count = i;
    copy(packs, &whole, memory, packed);
    if (bytes > done)
        copy_part(packs, next, memory + s->at + at, packed + done, bytes - done);
}

static void copy_some(bool packs, const struct uno_pattern *s, char *memory, char *packed, MPI_Count bytes) {
    if (bytes && bytes >= s->bytes)
        copy(packs, s, memory, packed);
    else if (bytes)
        copy_part(packs, s, memory, packed, bytes);
}

void uno_pattern_pack(const struct uno_pattern *pattern, const void *memory, MPI_Count bytes, void *packed) {
    copy_some(true, pattern, (char *)memory, packed, bytes);
}

void uno_pattern_unpack(const struct uno_pattern *pattern, void *memory, MPI_Count bytes,
                        const void *packed) {
    copy_some(false, pattern, memory, (char *)packed, bytes);
}

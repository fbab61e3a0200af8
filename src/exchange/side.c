#include "side.h"

#include <string.h>

#include "engine/lines.h"

/* The parts of rows that some bytes of a block are, one after the other. */
struct walk {
    char *row;   /* where the present row starts */
    size_t in;   /* in it */
    size_t left; /* bytes */
};

static struct walk walk_of(const struct uno_side *side, int r, size_t at, size_t bytes) {
    return (struct walk){
        .row = uno_side_at(side, r) + at / side->width * side->row, .in = at % side->width, .left = bytes};
}

/* The next part, and its bytes: 0 at the end. */
static char *next(const struct uno_side *side, struct walk *walk, size_t *bytes) {
    char *place = walk->row + walk->in;
    size_t rest = side->width - walk->in;
    *bytes = walk->left < rest ? walk->left : rest;
    walk->left -= *bytes;
    walk->in = 0;
    walk->row += side->row;
    return place;
}

void uno_side_pack(const struct uno_side *side, int r, size_t at, size_t bytes, char *out) {
    if (!bytes)
        return;
    if (uno_side_plain(side)) {
        memcpy(out, uno_side_at(side, r) + at, bytes);
        return;
    }
    size_t n;
    struct walk walk = walk_of(side, r, at, bytes);
    for (char *place = next(side, &walk, &n); n; out += n, place = next(side, &walk, &n))
        memcpy(out, place, n);
}

void uno_side_unpack(const struct uno_side *side, int r, size_t at, size_t bytes, const char *in) {
    if (!bytes)
        return;
    if (uno_side_plain(side)) {
        memcpy(uno_side_at(side, r) + at, in, bytes);
        return;
    }
    size_t n;
    struct walk walk = walk_of(side, r, at, bytes);
    for (char *place = next(side, &walk, &n); n; in += n, place = next(side, &walk, &n))
        memcpy(place, in, n);
}

void uno_sides_expect(const struct uno_side *side, int n) {
    for (int r = 0; r < n; r++)
        for (size_t at = 0, bytes = uno_side_bytes(side, r); at < bytes; at += UNO_LINE)
            __builtin_prefetch(uno_side_at(side, r) + at, 1);
}

void uno_side_copy(const struct uno_side *to, int t, const struct uno_side *from, int f, uno_copy *copy) {
    char *out = uno_side_at(to, t);
    const char *in = uno_side_at(from, f);
    size_t bytes = uno_side_bytes(to, t);
    if (!bytes)
        return;
    if (uno_side_plain(to) && uno_side_plain(from)) {
        copy(out, in, bytes);
        return;
    }
    for (size_t i = 0; i < to->rows; i++, out += to->row, in += from->row)
        copy(out, in, to->width);
}

/* The first byte of all blocks, and the first after them; the same: there are none. */
static void bounds(const struct uno_side *side, int n, uintptr_t *first, uintptr_t *end) {
    *first = UINTPTR_MAX;
    *end = 0;
    for (int r = 0; r < n; r++) {
        uintptr_t from = (uintptr_t)uno_side_at(side, r), bytes = uno_side_bytes(side, r);
        if (!bytes)
            continue;
        *first = from < *first ? from : *first;
        *end = from + bytes > *end ? from + bytes : *end;
    }
}

bool uno_sides_overlap(const struct uno_side *a, const struct uno_side *b, int n) {
    uintptr_t a_first, a_end, b_first, b_end;
    bounds(a, n, &a_first, &a_end);
    bounds(b, n, &b_first, &b_end);
    return a_first < b_end && b_first < a_end;
}

/* Elements that are moved by rows are where they are if each is moved by itself, and nothing beside them is
 * touched: rows of any length and number, put and got, past the caches or through them, at any address. */

#include "exchange/move.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lines.h"
#include "../rng.h"

enum { MOST = 6000, BYTES = 16, ROOM = (MOST + 8) * BYTES, ROUNDS = 1000, GUARD = 0xa5 };

static _Alignas(64) unsigned char array[ROOM], own[ROOM], expected[ROOM];
static uint64_t table[MOST];

static void fail(const char *what, const struct uno_moved *part, size_t at) {
    printf("%s: %s, %zu elements of %zu bytes, from %zu on\n", what, part->gets ? "get" : "put", part->count,
           part->bytes, at);
    exit(1);
}

/* Rows of a matrix that is turned round, upward or downward, and behind them the start of another one; or no
 * row at all; the first few elements belong to a row that began before. */
static size_t make(struct rng *r, size_t *length) {
    size_t rows = (size_t)rng_below(r, 80) + 1, columns = (size_t)rng_below(r, 200) + 1, n = 0;
    size_t step = rng_below(r, 3) ? rows : rows + (size_t)rng_below(r, 9), skip = (size_t)rng_below(r, 90);
    if (rng_below(r, 3) == 0)
        step = (step + 63) / 64 * 64;
    while (columns > 1 && step * columns > MOST)
        columns--;
    bool down = rng_below(r, 2) == 0;
    for (size_t row = 0; row < rows; row++)
        for (size_t c = 0; c < columns && n < MOST; c++)
            table[n++] = row + (down ? columns - 1 - c : c) * step;
    *length = step * (columns - 1) + rows;
    skip = skip < n ? skip : 0;
    memmove(table, table + skip, (n - skip) * sizeof *table);
    return n - skip;
}

/* Move all elements, in as many calls as it takes. Elements in no row are moved alone. */
static void move_all(const struct uno_moved *part, bool past) {
    for (size_t at = 0, moved; at < part->count; at += moved) {
        moved = uno_move_rows(part, at, past);
        if (moved > part->count - at)
            fail("more has been moved than there is", part, at);
        if (moved)
            continue;
        uno_move_chained(part, at, at + 1);
        moved = 1;
    }
    uno_lines_end();
}

static void once(struct rng *r) {
    static const size_t sizes[] = {1, 2, 4, 8, 16, 3};
    size_t bytes = sizes[rng_below(r, 6)], length, count = make(r, &length);
    size_t shift = rng_below(r, 2) ? 0 : (size_t)rng_below(r, 64), own_shift = (size_t)rng_below(r, 3);
    struct uno_moved part = {.array = (char *)array + shift,
                             .own = (char *)own + own_shift,
                             .index = table,
                             .count = count,
                             .length = length,
                             .bytes = bytes,
                             .gets = rng_below(r, 2)};
    unsigned char *to = part.gets ? own : array, *from = part.gets ? array : own;
    for (size_t i = 0; i < ROOM; i += 8) {
        uint64_t word = rng_next(r);
        memcpy(from + i, &word, 8);
    }
    memset(to, GUARD, ROOM);
    memset(expected, GUARD, ROOM);
    for (size_t i = 0; i < count; i++)
        if (part.gets)
            memcpy(expected + own_shift + i * bytes, array + shift + table[i] * bytes, bytes);
        else
            memcpy(expected + shift + table[i] * bytes, own + own_shift + i * bytes, bytes);
    move_all(&part, rng_below(r, 2));
    if (memcmp(to, expected, ROOM) != 0)
        fail("an element is not where it belongs, or something beside them has changed", &part, 0);
}

/* 8 rows of 100 elements, to an array of `length`: so many are moved. If none, nothing is touched. */
static void expect(size_t elements, uint64_t first, uint64_t step, size_t length) {
    enum { COLUMNS = 100, ROWS = 8 };
    struct uno_moved part = {.array = (char *)array,
                             .own = (char *)own,
                             .index = table,
                             .count = COLUMNS * ROWS,
                             .length = length,
                             .bytes = 8};
    for (size_t i = 0; i < COLUMNS * ROWS; i++)
        table[i] = first + i % COLUMNS * step + i / COLUMNS;
    memset(array, GUARD, sizeof array);
    memset(own, 0, sizeof own);
    if (uno_move_rows(&part, 0, false) != elements)
        fail(elements ? "rows are not moved at once" : "an index beyond the array is taken", &part, 0);
    for (size_t i = 0; i < sizeof array; i++)
        if (!elements && array[i] != GUARD)
            fail("an element is moved though an index is beyond the array", &part, 0);
}

int main(void) {
    struct rng r = rng_for(14, 0, 0, 0);
    for (int i = 0; i < ROUNDS; i++)
        once(&r);
    expect(800, 0, 16, 16 * 99 + 8);
    expect(0, 0, 16, 16 * 99 + 7); /* the last one is beyond */
    expect(100, 0, 1, 100);
    expect(0, 0, 1, 99); /* of a row that stays together */
    expect(800, 99 * 16, -(uint64_t)16, 99 * 16 + 8);
    expect(0, 99 * 16, -(uint64_t)16, 99 * 16 + 7); /* the first one, downward */
    expect(0, 98 * 16, -(uint64_t)16, 4000);        /* below 0 */
    expect(0, 0, UINT64_C(1) << 61, MOST);          /* beyond 2^64, and round */
    return 0;
}

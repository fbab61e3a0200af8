/* Rows: elements whose indices grow by a constant step, as those of a transpose do by the length of a column.
 * Moved one after the other, each goes to a line of its own; before the next row comes to the same lines,
 * they have left the first caches, the sooner as a step of a power of 2 maps many of them to few places
 * there. So as many rows as fill lines go together: a block of their columns is turned round in a cache, and
 * each line of the array is written or read once, as a whole. */

#include <string.h>

#include "engine/copy.h"
#include "engine/lines.h"
#include "element.h"
#include "move.h"

enum {
    LEAST = 64,     /* elements of a row that is worth it */
    MOST = 1 << 18, /* that are looked through for its end */
    COLUMNS = 64,   /* that are turned round at a time */
    LOOK = 64,      /* elements that are compared at once */
};

/* A PE's elements from `at` on, seen as rows of `length`: element i of row r belongs to index[i] + r. */
struct rows {
    const struct uno_moved *part;
    size_t at, length, count;
    bool past;
};

/* ---- the table --------------------------------------------------------------------------------------- */

/* Return how many indices from the first one on grow by `step`. */
static size_t length_of(const uint64_t *index, size_t count, uint64_t step) {
    size_t most = count < MOST ? count : MOST, n = 1;
    for (; n + LOOK <= most; n += LOOK) {
        uint64_t other = 0;
        for (size_t k = n; k < n + LOOK; k++)
            other |= (index[k] - index[k - 1]) ^ step;
        if (other)
            break;
    }
    while (n < most && index[n] - index[n - 1] == step)
        n++;
    return n;
}

/* Return true if each of the n indices of a row is greater by `more` than that of the first row. */
static bool follows(const uint64_t *first, const uint64_t *row, size_t n, uint64_t more) {
    for (size_t i = 0; i < n; i += LOOK) {
        size_t end = n - i < LOOK ? n : i + LOOK;
        uint64_t other = 0;
        for (size_t k = i; k < end; k++)
            other |= (row[k] - first[k]) ^ more;
        if (other)
            return false;
    }
    return true;
}

/* Return true if n indices from `first` on, which grow by `step`, are all less than `length`. */
static bool within(uint64_t first, uint64_t step, size_t n, size_t length) {
    uint64_t way, last, down = -step;
    if (step <= INT64_MAX)
        return !__builtin_mul_overflow(step, n - 1, &way) && !__builtin_add_overflow(first, way, &last) &&
               last < length;
    return !__builtin_mul_overflow(down, n - 1, &way) && way <= first && first < length;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static void write(char *to, const void *from, size_t bytes, bool past) {
    if (past && (uintptr_t)to % UNO_LINE == 0 && bytes % UNO_LINE == 0)
        uno_lines_past(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

static char *place(const struct rows *rows, size_t column) {
    return rows->part->array + rows->part->index[rows->at + column] * rows->part->bytes;
}

static char *own(const struct rows *rows, size_t row, size_t column) {
    return rows->part->own + (rows->at + row * rows->length + column) * rows->part->bytes;
}

/* Some columns, from `first` on, of elements of one type. Each column is part of a line. */
#define TURNS(size)                                                                                          \
    static void put_##size(const struct rows *rows, size_t first, size_t columns) {                          \
        _Alignas(UNO_LINE) uno_bytes##size line[COLUMNS][UNO_LINE / size];                                   \
        for (size_t r = 0; r < rows->count; r++) {                                                           \
            const uno_bytes##size *in = (const void *)own(rows, r, first);                                   \
            for (size_t c = 0; c < columns; c++)                                                             \
                line[c][r] = in[c];                                                                          \
        }                                                                                                    \
        for (size_t c = 0; c < columns; c++)                                                                 \
            write(place(rows, first + c), line[c], rows->count * sizeof(uno_bytes##size), rows->past);       \
    }                                                                                                        \
    static void get_##size(const struct rows *rows, size_t first, size_t columns) {                          \
        _Alignas(UNO_LINE) uno_bytes##size line[COLUMNS][UNO_LINE / size];                                   \
        _Alignas(UNO_LINE) uno_bytes##size out[COLUMNS];                                                     \
        for (size_t c = 0; c < columns; c++)                                                                 \
            memcpy(line[c], place(rows, first + c), rows->count * sizeof(uno_bytes##size));                  \
        for (size_t r = 0; r < rows->count; r++) {                                                           \
            for (size_t c = 0; c < columns; c++)                                                             \
                out[c] = line[c][r];                                                                         \
            write(own(rows, r, first), out, columns * sizeof(uno_bytes##size), rows->past);                  \
        }                                                                                                    \
    }

UNO_ELEMENTS(TURNS)

typedef void turn(const struct rows *rows, size_t first, size_t columns);

static turn *turn_of(const struct uno_moved *part) {
#define CASE(size)                                                                                           \
    case size:                                                                                               \
        return part->gets ? get_##size : put_##size;
    switch (part->bytes) {
        UNO_ELEMENTS(CASE)
    default:
        return NULL;
    }
#undef CASE
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Return the number of rows that reach the end of a line, if all columns begin at the same place of one; or
 * that fill one. */
static size_t wanted(const struct rows *rows, uint64_t step) {
    size_t bytes = rows->part->bytes, before = (uintptr_t)place(rows, 0) % UNO_LINE;
    bool alike = before % bytes == 0 && step * bytes % UNO_LINE == 0;
    return (UNO_LINE - (alike ? before : 0)) / bytes;
}

/* Find the rows that follow the first one directly, up to `most` together. */
static void find_rows(struct rows *rows, size_t most) {
    const uint64_t *first = rows->part->index + rows->at;
    size_t rest = rows->part->count - rows->at;
    rows->count = 1;
    while (rows->count < most && (rows->count + 1) * rows->length <= rest &&
           follows(first, first + rows->count * rows->length, rows->length, rows->count))
        rows->count++;
}

static void copy_row(const struct rows *rows) {
    char *array = place(rows, 0), *mine = own(rows, 0, 0);
    size_t bytes = rows->length * rows->part->bytes;
    (rows->past ? uno_copy_past : memcpy)(rows->part->gets ? mine : array, rows->part->gets ? array : mine,
                                          bytes);
}

size_t uno_move_rows(const struct uno_moved *part, size_t at, bool past) {
    const uint64_t *index = part->index + at;
    size_t rest = part->count - at;
    if (rest < LEAST)
        return 0;
    uint64_t step = index[1] - index[0];
    struct rows rows = {.part = part, .at = at, .length = length_of(index, rest, step), .past = past};
    if (rows.length < LEAST || !within(index[0], step, rows.length, part->length))
        return 0;
    if (step == 1) {
        copy_row(&rows);
        return rows.length;
    }
    turn *turn = turn_of(part);
    if (turn)
        find_rows(&rows, wanted(&rows, step));
    if (!turn || rows.count == 1) {
        uno_move_chained(part, at, at + rows.length);
        return rows.length;
    }
    if (!within(index[0] + rows.count - 1, step, rows.length, part->length))
        return 0;
    for (size_t c = 0; c < rows.length; c += COLUMNS)
        turn(&rows, c, rows.length - c < COLUMNS ? rows.length - c : COLUMNS);
    return rows.count * rows.length;
}

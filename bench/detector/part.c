#include "part.h"

#include <stdlib.h>
#include <string.h>

#include "sobel.h"

/* Direction d and the one opposite to it add up to 7. */
static const struct {
    int down, right;
} directions[PART_LINKS] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
enum { NORTH = 1, WEST = 3, EAST = 4, SOUTH = 6 };

static int gray(int i) {
    return i ^ i >> 1;
}

static int from_gray(int code) {
    int i = 0;
    for (; code; code >>= 1)
        i ^= code;
    return i;
}

static void shape(int n, int *rows, int *columns) {
    int dimension = __builtin_ctz((unsigned)n);
    *columns = 1 << dimension / 2;
    *rows = n / *columns;
}

bool part_is_possible(int width, int height, int n) {
    int rows, columns;
    shape(n, &rows, &columns);
    return height >= rows && width >= columns;
}

/* Pixels of an edge, and where they are, as first pixel and distance from one to the next: of this part if
 * `inside`, otherwise beyond it. */
static size_t edge(const struct part *part, int direction, bool inside, uint8_t **first, size_t *step) {
    int down = directions[direction].down, right = directions[direction].right;
    int y = down > 0 ? part->height - inside : down < 0 && !inside ? -1 : 0;
    int x = right > 0 ? part->width - inside : right < 0 && !inside ? -1 : 0;
    *first = part_pixels(part) + y * (ptrdiff_t)part->stride + x;
    *step = down ? 1 : part->stride;
    return (size_t)(down && right ? 1 : down ? part->width : part->height);
}

static void make_links(struct part *part, int row, int column, int rows, int columns) {
    uint8_t *at = part->edges;
    for (int d = 0; d < PART_LINKS; d++) {
        int y = row + directions[d].down, x = column + directions[d].right;
        if (y < 0 || y >= rows || x < 0 || x >= columns)
            continue;
        uint8_t *first;
        size_t step, bytes = edge(part, d, true, &first, &step);
        part->open[d] = true;
        part->link[part->links++] = (struct part_link){.pe = gray(y) * columns + gray(x),
                                                       .there = d,
                                                       .back = PART_LINKS - 1 - d,
                                                       .bytes = bytes,
                                                       .out = at,
                                                       .in = {at + bytes, at + 2 * bytes}};
        at += 3 * bytes;
    }
}

bool part_make(struct part *part, int width, int height, int me, int n) {
    int rows, columns;
    shape(n, &rows, &columns);
    int row = from_gray(me / columns), column = from_gray(me % columns);
    *part =
        (struct part){.top = (int)((long)height * row / rows), .left = (int)((long)width * column / columns)};
    part->height = (int)((long)height * (row + 1) / rows) - part->top;
    part->width = (int)((long)width * (column + 1) / columns) - part->left;
    part->stride = (size_t)part->width + 2;
    part->frame = malloc(((size_t)part->height + 2) * part->stride);
    part->result = malloc((size_t)part->height * (size_t)part->width);
    part->edges = malloc(3 * 2 * (size_t)(part->height + part->width + 2));
    if (!part->frame || !part->result || !part->edges) {
        part_free(part);
        return false;
    }
    make_links(part, row, column, rows, columns);
    return true;
}

void part_free(struct part *part) {
    free(part->frame);
    free(part->result);
    free(part->edges);
}

static void pack(const struct part *part, int direction, bool inside, uint8_t *to) {
    uint8_t *from;
    size_t step, count = edge(part, direction, inside, &from, &step);
    for (size_t k = 0; k < count; k++)
        to[k] = from[k * step];
}

void part_pack(const struct part *part) {
    for (int i = 0; i < part->links; i++)
        pack(part, part->link[i].there, true, part->link[i].out);
}

void part_pack_beyond(const struct part *part, int i) {
    pack(part, part->link[i].there, false, part->link[i].in[0]);
}

static void unpack(const struct part *part, int which) {
    for (int i = 0; i < part->links; i++) {
        uint8_t *to;
        size_t step, count = edge(part, part->link[i].there, false, &to, &step);
        for (size_t k = 0; k < count; k++)
            to[k * step] = part->link[i].in[which][k];
    }
}

/* Continue the picture's outermost pixels outside: to the sides first, then, corners included, up and
 * down. */
static void continue_outwards(const struct part *part) {
    uint8_t *pixels = part_pixels(part);
    size_t stride = part->stride, width = (size_t)part->width;
    for (ptrdiff_t y = -part->open[NORTH]; y < part->height + part->open[SOUTH]; y++) {
        uint8_t *row = pixels + y * (ptrdiff_t)stride;
        if (!part->open[WEST])
            row[-1] = row[0];
        if (!part->open[EAST])
            row[width] = row[width - 1];
    }
    if (!part->open[NORTH])
        memcpy(part->frame, part->frame + stride, stride);
    if (!part->open[SOUTH])
        memcpy(pixels + (size_t)part->height * stride - 1, pixels + (size_t)(part->height - 1) * stride - 1,
               stride);
}

static void calculate(const struct part *part, int top, int bottom, int left, int right) {
    sobel(part_pixels(part), part->stride, part->result, (size_t)part->width, top, bottom, left, right);
}

void part_inner(const struct part *part) {
    calculate(part, 1, part->height - 1, 1, part->width - 1);
}

void part_outer(const struct part *part, int which) {
    int height = part->height, width = part->width;
    unpack(part, which);
    continue_outwards(part);
    calculate(part, 0, 1, 0, width);
    if (height > 1)
        calculate(part, height - 1, height, 0, width);
    calculate(part, 1, height - 1, 0, 1);
    if (width > 1)
        calculate(part, 1, height - 1, width - 1, width);
}

/* Pictures for the edge detector: a scene, brighter or darker in every turn, and the expected result pixel by
 * pixel, by its definition, which shares no line with the detector. */

#include "picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "detector/part.h"
#include "detector/scene.h"
#include "kinds.h"

enum { UNTOUCHED = 0xa5, FULL = 255 * 255 };

/* A rectangle of a picture, and the pixels around it, as drawn. */
struct canvas {
    int edge, n;
    struct part part;
    uint8_t *drawn; /* as part.frame */
};

/* This PE's part and the whole picture. They stay from turn to turn: drawing takes longer than measuring. */
static _Thread_local struct canvas canvases[2];

static void no_memory(int edge) {
    fprintf(stderr, "bench worker: no memory for a picture of %d x %d pixels\n", edge, edge);
    _exit(1);
}

static void make(struct canvas *canvas, int edge, int me, int n) {
    if (canvas->edge == edge && canvas->n == n)
        return;
    if (canvas->edge) {
        part_free(&canvas->part);
        free(canvas->drawn);
    }
    struct part *part = &canvas->part;
    canvas->edge = edge;
    canvas->n = n;
    if (!part_make(part, edge, edge, me, n))
        no_memory(edge);
    canvas->drawn = malloc((size_t)(part->height + 2) * part->stride);
    if (!canvas->drawn)
        no_memory(edge);
    scene_draw(canvas->drawn, part->stride, edge, part->top - 1, part->left - 1, part->height + 2,
               part->width + 2);
}

static struct canvas *canvas_of(const struct bench_turn *turn) {
    return &canvases[turn->op == BENCH_OP_sobelWhole || turn->op == BENCH_OP_sobelFirst];
}

static uint8_t brightness(const struct bench_turn *turn) {
    return (uint8_t)bench_mix(turn->seed);
}

/* Prepare a turn: everything but the pixels of the neighbours is in place; those, too, where no exchange
 * brings them. */
void bench_picture_prepare(struct bench_pe *pe, int operations) {
    const struct bench_turn *turn = &pe->turn;
    struct canvas *canvas = canvas_of(turn);
    struct part *part = &canvas->part;
    uint8_t more = brightness(turn);
    (void)operations;
    if (canvas == &canvases[0])
        make(canvas, (int)turn->bytes, pe->me, pe->n);
    else
        make(canvas, (int)turn->bytes, 0, 1);
    size_t count = (size_t)(part->height + 2) * part->stride;
    for (size_t i = 0; i < count; i++)
        part->frame[i] = (uint8_t)(canvas->drawn[i] + more);
    part_pack(part);
    for (int i = 0; i < part->links; i++) {
        memset(part->link[i].in[0], UNTOUCHED, part->link[i].bytes);
        memset(part->link[i].in[1], UNTOUCHED, part->link[i].bytes);
        if (turn->op == BENCH_OP_sobelParts)
            part_pack_beyond(part, i);
    }
    memset(part->result, UNTOUCHED, (size_t)part->height * (size_t)part->width);
    pe->part = part;
}

/* Return a pixel of the picture; its outermost pixels continue outside. */
static int pixel(const struct canvas *canvas, int y, int x, uint8_t more) {
    const struct part *part = &canvas->part;
    int last = canvas->edge - 1;
    y = (y < 0 ? 0 : y > last ? last : y) - part->top + 1;
    x = (x < 0 ? 0 : x > last ? last : x) - part->left + 1;
    return (uint8_t)(canvas->drawn[(size_t)y * part->stride + (size_t)x] + more);
}

static void make_roots(uint8_t *roots) {
    for (int i = 0, root = 0; i < FULL; i++) {
        root += (root + 1) * (root + 1) <= i;
        roots[i] = (uint8_t)root;
    }
}

void bench_picture_check(const struct bench_pe *pe, int operations, struct bench_reply *reply) {
    static const int window[3] = {1, 2, 1};
    static _Thread_local uint8_t roots[FULL];
    const struct bench_turn *turn = &pe->turn;
    const struct canvas *canvas = canvas_of(turn);
    const struct part *part = &canvas->part;
    uint8_t more = brightness(turn);
    (void)operations;
    if (!roots[1])
        make_roots(roots);
    if (turn->op == BENCH_OP_sobelFirst && pe->me)
        return;
    for (int i = 0; i < part->height * part->width; i++) {
        int y = part->top + i / part->width, x = part->left + i % part->width, across = 0, down = 0;
        for (int k = -1; k <= 1; k++) {
            across += window[k + 1] * (pixel(canvas, y + k, x + 1, more) - pixel(canvas, y + k, x - 1, more));
            down += window[k + 1] * (pixel(canvas, y + 1, x + k, more) - pixel(canvas, y - 1, x + k, more));
        }
        int square = across * across + down * down, expected = square < FULL ? roots[square] : 255;
        if (part->result[i] != expected && !reply->wrong++)
            snprintf(reply->text, sizeof reply->text,
                     "%s of %d PEs, %d x %d pixels: PE %d has %d instead of %d in row %d, column %d",
                     bench_kinds[turn->op].name, pe->n, canvas->edge, canvas->edge, pe->me, part->result[i],
                     expected, y, x);
    }
}

/* The edges of a picture, by all PEs together:
 *
 *     unisono run -n 4 sobel photo.pgm edges.png
 *
 * PE 0 reads the picture and deals out the parts; then each PE calculates its own while edges and corners
 * come from those around it, once by either interface of <vertex.h>; PE 0 collects the results, calculates
 * the whole picture itself, and compares. The number of PEs is a power of two. */

#include <vertex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detector/exchange.h"
#include "detector/part.h"
#include "picture.h"
#include "detector/scene.h"

enum { TIMES = 20, PICTURE = 100, RESULT }; /* repetitions, of which the fastest counts; types of messages */

static void end(const char *format, const char *what) {
    char message[PICTURE_ERROR + 50];
    snprintf(message, sizeof message, format, what);
    p_error(message);
}

/* A picture from a file, or, if the name is a number, a scene of so many rows. */
static struct picture get(const char *name) {
    struct picture picture;
    char error[PICTURE_ERROR], *rest;
    long edge = strtol(name, &rest, 10);
    if (*rest || edge < 1 || edge > 16384) {
        if (!picture_read(&picture, name, error))
            end("sobel: %s", error);
        return picture;
    }
    picture = (struct picture){(int)edge, (int)edge, malloc((size_t)(edge * edge))};
    if (!picture.pixels)
        end("sobel: no memory for the scene %s", name);
    scene_draw(picture.pixels, (size_t)edge, (int)edge, 0, 0, (int)edge, (int)edge);
    return picture;
}

/* Copy a rectangle, row by row. */
static void copy(uint8_t *to, size_t to_stride, const uint8_t *from, size_t from_stride,
                 const struct part *part) {
    for (int y = 0; y < part->height; y++)
        memcpy(to + (size_t)y * to_stride, from + (size_t)y * from_stride, (size_t)part->width);
}

static size_t place(const struct picture *picture, const struct part *part) {
    return (size_t)part->top * (size_t)picture->width + (size_t)part->left;
}

static struct part part_of(const struct picture *picture, int k, int n) {
    struct part part;
    if (!part_make(&part, picture->width, picture->height, k, n))
        p_error("sobel: no memory");
    return part;
}

/* Send each PE its part of the pixels from PE 0. */
static void deal(const struct picture *picture, const struct part *mine, int me, int n) {
    int first = 0, type = PICTURE;
    for (int k = 1; me == 0 && k < n; k++) {
        struct part part = part_of(picture, k, n);
        copy(part.result, (size_t)part.width, picture->pixels + place(picture, &part), (size_t)picture->width,
             &part);
        nwrite(part.result, (size_t)part.height * (size_t)part.width, k, PICTURE);
        part_free(&part);
    }
    if (me == 0) {
        copy(part_pixels(mine), mine->stride, picture->pixels, (size_t)picture->width, mine);
        return;
    }
    nread(mine->result, (size_t)mine->height * (size_t)mine->width, &first, &type);
    copy(part_pixels(mine), mine->stride, mine->result, (size_t)mine->width, mine);
}

/* Send the results back to PE 0. */
static void collect(struct picture *picture, const struct part *mine, int me, int n) {
    if (me)
        nwrite(mine->result, (size_t)mine->height * (size_t)mine->width, 0, RESULT);
    else
        copy(picture->pixels, (size_t)picture->width, mine->result, (size_t)mine->width, mine);
    for (int k = 1; me == 0 && k < n; k++) {
        int type = RESULT;
        struct part part = part_of(picture, k, n);
        nread(part.result, (size_t)part.height * (size_t)part.width, &k, &type);
        copy(picture->pixels + place(picture, &part), (size_t)picture->width, part.result, (size_t)part.width,
             &part);
        part_free(&part);
    }
}

/* The time from the first PE's beginning to the last one's end, in ms: the least of all repetitions. */
static double detect(const struct part *part, int extended) {
    struct exchange x;
    double least = 0;
    if (extended)
        exchange_open(&x, part);
    for (int i = 0; i < TIMES; i++) {
        p_wait();
        uint64_t before = ntime();
        if (extended)
            exchange_extended(&x, i == TIMES - 1);
        else
            exchange_standard(part);
        double taken = p_reduceMaxd((double)(ntime() - before) / 1e6);
        least = i == 0 || taken < least ? taken : least;
    }
    if (extended)
        exchange_close(&x);
    return least;
}

/* PE 0 alone. The others wait at the next operation. */
static double detect_alone(const struct picture *picture, struct part *whole) {
    double least = 0;
    *whole = part_of(picture, 0, 1);
    copy(part_pixels(whole), whole->stride, picture->pixels, (size_t)picture->width, whole);
    for (int i = 0; i < TIMES; i++) {
        uint64_t before = ntime();
        part_inner(whole);
        part_outer(whole, 0);
        double taken = (double)(ntime() - before) / 1e6;
        least = i == 0 || taken < least ? taken : least;
    }
    return least;
}

/* Deal out, detect, collect; at PE 0, compare. Returns whether the result is that of one PE. */
static int run(const struct picture *picture, struct picture *result, const struct part *whole, double alone,
               int extended) {
    int me = p_iproc(), n = p_nproc(), same = 1;
    struct part part = part_of(picture, me, n);
    deal(picture, &part, me, n);
    double taken = detect(&part, extended);
    collect(result, &part, me, n);
    if (me == 0) {
        size_t size = (size_t)picture->width * (size_t)picture->height;
        same = memcmp(result->pixels, whole->result, size) == 0;
        printf("%s protocol: %.3f ms, %.2f times as fast as alone; %s\n", extended ? "extended" : "standard",
               taken, alone / taken, same ? "the same, pixel for pixel" : "OTHER PIXELS than alone");
        memset(result->pixels, 0, extended ? 0 : size); /* the next picture must not stand there already */
    }
    part_free(&part);
    return same;
}

int main(int argc, char **argv) {
    p_init();
    int me = p_iproc(), n = p_nproc();
    struct picture picture = {0}, result = {0};
    struct part whole;
    double alone = 0;
    if (argc != 3)
        p_error(
            "usage: sobel PICTURE EDGES.png (PICTURE: a PGM or PNG file, or the number of rows of a scene)");
    if (n & (n - 1))
        p_error("sobel: the number of PEs must be a power of two");
    if (me == 0) {
        picture = get(argv[1]);
        result = picture;
        result.pixels = calloc((size_t)picture.width, (size_t)picture.height);
        if (!result.pixels)
            p_error("sobel: no memory");
        if (!part_is_possible(picture.width, picture.height, n))
            p_error("sobel: more PEs than rows or columns to divide the picture into");
        alone = detect_alone(&picture, &whole);
        printf("%d x %d pixels, %d PE%s; alone: %.3f ms\n", picture.width, picture.height, n,
               n == 1 ? "" : "s", alone);
    }
    picture.width = p_reduceMax32(picture.width);
    picture.height = p_reduceMax32(picture.height);
    int same = run(&picture, &result, &whole, alone, 0) & run(&picture, &result, &whole, alone, 1);
    if (me == 0) {
        char error[PICTURE_ERROR];
        if (!picture_write(&result, argv[2], error))
            end("sobel: %s", error);
        part_free(&whole);
        free(picture.pixels);
        free(result.pixels);
    }
    return p_exit(!same);
}

/* One PE's part of a picture: a rectangle of a grid, and what it exchanges with those around it.
 *
 * 2^k PEs are a grid of 2^(k - k/2) rows and 2^(k/2) columns. Gray codes number it, so that neighbours in a
 * row or a column are neighbours in the hypercube. A pixel at the edge of a part needs pixels of up to three
 * others. */

#ifndef SOBEL_PART_H
#define SOBEL_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PART_LINKS = 8 };

/* What goes to one neighbour, and the same amount that comes from it. */
struct part_link {
    int pe;
    int there,
        back; /* the direction in which it lies, 0 to 7, and the one in which this PE lies from there */
    size_t bytes;
    uint8_t *out, *in[2]; /* in: of two exchanges in turn, so that the next can begin early */
};

struct part {
    int top, left, height, width; /* the rectangle */
    size_t stride;
    uint8_t *frame;  /* its pixels, and one more on each side: (height + 2) x stride */
    uint8_t *result; /* height x width */
    int links;
    struct part_link link[PART_LINKS];
    bool open[PART_LINKS]; /* directions in which a neighbour lies */
    uint8_t *edges;        /* what the links point to */
};

/* Whether 2^k PEs can have a part each, of a pixel at least. */
bool part_is_possible(int width, int height, int n);

/* The part of PE `me` of n = 2^k. False: no memory. part_free frees it. */
bool part_make(struct part *part, int width, int height, int me, int n);
void part_free(struct part *part);

/* The part's first pixel in its frame. */
static inline uint8_t *part_pixels(const struct part *part) {
    return part->frame + part->stride + 1;
}

/* Copy the outermost pixels into link[].out. */
void part_pack(const struct part *part);

/* In place of an exchange: copy into link[i].in[0] what lies beyond that edge in the frame. */
void part_pack_beyond(const struct part *part, int i);

/* Calculate what needs no neighbour. */
void part_inner(const struct part *part);

/* Take over what came into link[].in[which], then calculate the rest. */
void part_outer(const struct part *part, int which);

#endif

/* One PE's part of a picture: a rectangle of a grid, and the edges that it exchanges with the parts around
 * it.
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

/* The exchange with one neighbour: equally many bytes go to it and come from it. */
struct part_link {
    int pe;
    int there, back; /* directions, 0 to 7: that of the neighbour, and that of this PE seen from there */
    size_t bytes;
    uint8_t *out, *in[2]; /* in: for two exchanges in turn, so that the next can begin early */
};

struct part {
    int top, left, height, width; /* the rectangle */
    size_t stride;
    uint8_t *frame;  /* its pixels, and one more on each side: (height + 2) x stride */
    uint8_t *result; /* height x width */
    int links;
    struct part_link link[PART_LINKS];
    bool open[PART_LINKS]; /* directions in which a neighbour lies */
    uint8_t *edges;        /* the memory that the links point to */
};

/* Return true if each of 2^k PEs can have a part of at least one pixel. */
bool part_is_possible(int width, int height, int n);

/* Make the part of PE `me` of n = 2^k. False: memory is short. part_free frees it. */
bool part_make(struct part *part, int width, int height, int me, int n);
void part_free(struct part *part);

/* Return the part's first pixel in its frame. */
static inline uint8_t *part_pixels(const struct part *part) {
    return part->frame + part->stride + 1;
}

/* Copy the outermost pixels into link[].out. */
void part_pack(const struct part *part);

/* Replace an exchange: copy into link[i].in[0] the pixels beyond that edge in the frame. */
void part_pack_beyond(const struct part *part, int i);

/* Calculate the pixels that need no neighbour. */
void part_inner(const struct part *part);

/* Take over the pixels that came into link[].in[which], then calculate the rest. */
void part_outer(const struct part *part, int which);

#endif

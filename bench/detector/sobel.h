/* The Sobel operator: at each pixel the length of the gradient that two 3 x 3 windows give,
 *
 *     -1 0 1        -1 -2 -1
 *     -2 0 2         0  0  0
 *     -1 0 1         1  2  1
 *
 * without its fraction, at most 255. Outside of the picture its outermost pixels go on. */

#ifndef SOBEL_SOBEL_H
#define SOBEL_SOBEL_H

#include <stddef.h>
#include <stdint.h>

/* Compute rows `top` to `bottom` - 1, columns `left` to `right` - 1 of a result, from a picture with one more
 * pixel on each side: `in` points to its pixel (0, 0), before which there are a row and a column. Strides are
 * in pixels from one row to the next. */
void sobel(const uint8_t *in, size_t in_stride, uint8_t *out, size_t out_stride, int top, int bottom,
           int left, int right);

#endif

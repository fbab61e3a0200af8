/* A picture to look for edges in where there is no photograph: balls on a chequered floor. */

#ifndef SOBEL_SCENE_H
#define SOBEL_SCENE_H

#include <stddef.h>
#include <stdint.h>

/* Draw the pixels of rows `top` to `top` + `height` - 1, columns `left` to `left` + `width` - 1 of a square
 * picture of `edge` rows and columns. */
void scene_draw(uint8_t *pixels, size_t stride, int edge, int top, int left, int height, int width);

#endif

#include "sobel.h"

#include <math.h>

void sobel(const uint8_t *in, size_t in_stride, uint8_t *out, size_t out_stride, int top, int bottom,
           int left, int right) {
    for (int y = top; y < bottom; y++) {
        const uint8_t *b = in + (ptrdiff_t)in_stride * y, *a = b - in_stride, *c = b + in_stride;
        uint8_t *restrict row = out + (ptrdiff_t)out_stride * y;
        for (int x = left; x < right; x++) {
            int across = (a[x + 1] - a[x - 1]) + 2 * (b[x + 1] - b[x - 1]) + (c[x + 1] - c[x - 1]);
            int down = (c[x - 1] - a[x - 1]) + 2 * (c[x] - a[x]) + (c[x + 1] - a[x + 1]);
            /* the sum is below 2^21: exact as a float, and so is the whole part of its root */
            int length = (int)sqrtf((float)(across * across + down * down));
            row[x] = (uint8_t)(length < 255 ? length : 255);
        }
    }
}

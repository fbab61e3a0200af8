/* Grey pictures, 8 bits a pixel: PGM and PNG in, PNG out. */

#ifndef SOBEL_PICTURE_H
#define SOBEL_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PICTURE_MAX_EDGE = 1 << 16, PICTURE_ERROR = 300 };

struct picture {
    int width, height;
    uint8_t *pixels; /* row by row, without gaps; of malloc */
};

/* Read a PGM file (P2 or P5, up to 16 bits a pixel) or a PNG file (colours become grey). False: `error`
 * describes the fault of the file, in one line. */
bool picture_read(struct picture *picture, const char *path, char error[PICTURE_ERROR]);

/* Write it as PNG. */
bool picture_write(const struct picture *picture, const char *path, char error[PICTURE_ERROR]);

#endif

#include "picture.h"

#include <errno.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static bool refuse(char *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, PICTURE_ERROR, format, arguments);
    va_end(arguments);
    return false;
}

static bool allocate(struct picture *p, const char *path, long width, long height, char *error) {
    if (width < 1 || height < 1 || width > PICTURE_MAX_EDGE || height > PICTURE_MAX_EDGE)
        return refuse(error, "%s: a picture has 1 to %d rows and columns, this one %ld x %ld", path,
                      PICTURE_MAX_EDGE, width, height);
    p->width = (int)width;
    p->height = (int)height;
    p->pixels = malloc((size_t)width * (size_t)height);
    return p->pixels || refuse(error, "%s: no memory for %ld x %ld pixels", path, width, height);
}

/* ---- PGM ----------------------------------------------------------------------------------------------- */

/* The next number of a header, or of the pixels of P2, behind white space and comments; below 0: there is
 * none. */
static long number(FILE *file) {
    int c = getc(file);
    long value = 0, digits = 0;
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '#') {
        while (c == '#' && (c = getc(file)) != '\n' && c != EOF)
            c = '#';
        c = getc(file);
    }
    for (; c >= '0' && c <= '9' && digits < 9; digits++, c = getc(file))
        value = 10 * value + (c - '0');
    /* one white space ends the header, whatever follows it */
    return digits && (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == EOF) ? value : -1;
}

static long sample(FILE *file, bool text, long greatest) {
    if (text)
        return number(file);
    int high = greatest > 255 ? getc(file) : 0, low = getc(file);
    return high == EOF || low == EOF ? -1 : (long)high << 8 | low;
}

static bool read_pgm(struct picture *p, FILE *file, bool text, const char *path, char *error) {
    long width = number(file), height = number(file), greatest = number(file);
    if (width < 0 || height < 0 || greatest < 1 || greatest > 65535)
        return refuse(error,
                      "%s: the header of this PGM file has no width, height and greatest value (1 to 65535)",
                      path);
    if (!allocate(p, path, width, height, error))
        return false;
    size_t count = (size_t)width * (size_t)height;
    for (size_t i = 0; i < count; i++) {
        long value = sample(file, text, greatest);
        if (value < 0 || value > greatest) {
            free(p->pixels);
            return value < 0 ? refuse(error, "%s: the file ends, or is no number, at pixel %zu of %zu", path,
                                      i, count)
                             : refuse(error, "%s: pixel %zu is %ld, above the greatest value, %ld", path, i,
                                      value, greatest);
        }
        p->pixels[i] = (uint8_t)((value * 255 + greatest / 2) / greatest);
    }
    return true;
}

/* ---- PNG ----------------------------------------------------------------------------------------------- */

static bool read_png(struct picture *p, FILE *file, const char *path, char *error) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_stdio(&image, file))
        return refuse(error, "%s: %s", path, image.message);
    image.format = PNG_FORMAT_GRAY;
    bool good = allocate(p, path, (long)image.width, (long)image.height, error);
    png_color black = {0, 0, 0}; /* the background of transparent pixels */
    if (good && !png_image_finish_read(&image, &black, p->pixels, 0, NULL)) {
        free(p->pixels);
        good = refuse(error, "%s: %s", path, image.message);
    }
    png_image_free(&image);
    return good;
}

/* ---- both ---------------------------------------------------------------------------------------------- */

bool picture_read(struct picture *picture, const char *path, char error[PICTURE_ERROR]) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return refuse(error, "%s: %s", path, strerror(errno));
    char magic[3] = "";
    bool good;
    if (fread(magic, 1, 2, file) == 2 && (strcmp(magic, "P2") == 0 || strcmp(magic, "P5") == 0)) {
        good = read_pgm(picture, file, magic[1] == '2', path, error);
    } else if (strcmp(magic, "\x89P") == 0) {
        rewind(file);
        good = read_png(picture, file, path, error);
    } else {
        good = refuse(error, "%s: neither a PGM (P2, P5) nor a PNG file", path);
    }
    fclose(file);
    return good;
}

bool picture_write(const struct picture *picture, const char *path, char error[PICTURE_ERROR]) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_GRAY};
    return png_image_write_to_file(&image, path, 0, picture->pixels, 0, NULL) ||
           refuse(error, "%s: %s", path, image.message);
}

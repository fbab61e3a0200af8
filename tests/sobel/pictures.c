/* Pictures in and out: every kind of file that is read, and files that are wrong. Works in the folder that is
 * its argument. */

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "picture.h"

static int failures;

static void fail(const char *what, const char *why) {
    printf("%s: %s\n", what, why);
    failures++;
}

static void put(const char *name, const void *data, size_t size) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        abort();
}

static void expect(const char *what, int width, int height, const uint8_t *pixels) {
    struct picture p;
    char error[PICTURE_ERROR];
    if (!picture_read(&p, "p", error)) {
        fail(what, error);
        return;
    }
    if (p.width != width || p.height != height || memcmp(p.pixels, pixels, (size_t)(width * height)))
        fail(what, "other pixels");
    free(p.pixels);
}

#define EXPECT(file, width, height, ...)                                                                     \
    do {                                                                                                     \
        put("p", file, sizeof file - 1);                                                                     \
        expect(file, width, height, (const uint8_t[]){__VA_ARGS__});                                         \
    } while (0)

static void refused(const char *what, const char *path, const char *reason) {
    struct picture p;
    char error[PICTURE_ERROR] = "it was taken";
    bool taken = picture_read(&p, path, error);
    if (taken || strncmp(error, path, strlen(path)) || !strstr(error, reason) || strchr(error, '\n'))
        fail(what, error);
    if (taken)
        free(p.pixels);
}

#define REFUSED(file, reason)                                                                                \
    do {                                                                                                     \
        put("p", file, sizeof file - 1);                                                                     \
        refused(file, "p", reason);                                                                          \
    } while (0)

static void pgm(void) {
    EXPECT("P2 3 2 255\n0 1 2\n253 254 255\n", 3, 2, 0, 1, 2, 253, 254, 255);
    EXPECT("P2\n# a comment\n2 #another\n1\n100\n50 100", 2, 1, 128, 255);
    EXPECT("P5 2 2 255\n\0\x80\xff\n", 2, 2, 0, 128, 255, '\n');
    EXPECT("P5\n2 1\n65535\n\x00\xff\xff\xff", 2, 1, 1, 255);
    EXPECT("P5\n#c\n1 1 1 \x01", 1, 1, 255);
    REFUSED("", "neither");
    REFUSED("P6 1 1 255\nabc", "neither");
    REFUSED("P5", "header");
    REFUSED("P5 0 1 255\n", "rows and columns");
    REFUSED("P5 70000 1 255\n", "rows and columns");
    REFUSED("P5 -3 1 255\n", "header");
    REFUSED("P5 1 1 65536\na", "header");
    REFUSED("P5 2 2 255\nabc", "pixel 3 of 4");
    REFUSED("P5 1 1 100\nz", "above");
    REFUSED("P2 1 2 255\n1 x", "pixel 1 of 2");
    REFUSED("P2 1 1 255\n1000", "above");
    refused("no file", "nowhere", "No such file");
    refused("a folder", ".", "neither");
}

static void there_and_back(void) {
    struct picture p = {.width = 301, .height = 67, .pixels = malloc(301 * 67)};
    char error[PICTURE_ERROR] = "";
    for (int i = 0; i < 301 * 67; i++)
        p.pixels[i] = (uint8_t)(i * i / 7);
    if (!picture_write(&p, "p", error))
        fail("written", error);
    else
        expect("there and back", 301, 67, p.pixels);
    if (picture_write(&p, "no/where", error) || !strstr(error, "no/where"))
        fail("written nowhere", error);
    free(p.pixels);
}

/* Grey with 16 bits, colours, colours with transparency: pixels of the same grey come out the same. */
static void png(void) {
    static const png_uint_32 formats[] = {PNG_FORMAT_LINEAR_Y, PNG_FORMAT_RGB, PNG_FORMAT_RGBA,
                                          PNG_FORMAT_GA};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        uint16_t linear[2] = {0, 65535};
        uint8_t bytes[8];
        unsigned channels = PNG_IMAGE_SAMPLE_CHANNELS(formats[f]);
        for (unsigned i = 0; i < 2 * channels; i++)
            bytes[i] = i < channels && !(i == channels - 1 && formats[f] & PNG_FORMAT_FLAG_ALPHA) ? 0 : 255;
        png_image image = {.version = PNG_IMAGE_VERSION, .width = 2, .height = 1, .format = formats[f]};
        const void *data = formats[f] & PNG_FORMAT_FLAG_LINEAR ? (const void *)linear : bytes;
        if (!png_image_write_to_file(&image, "p", 0, data, 0, NULL))
            abort();
        expect("PNG of another format", 2, 1, (const uint8_t[]){0, 255});
    }
    char whole[4096];
    FILE *file = fopen("p", "rb");
    size_t size = file ? fread(whole, 1, sizeof whole, file) : 0;
    if (size < 50)
        abort();
    fclose(file);
    put("p", whole, size / 2);
    refused("half a PNG file", "p", "p: ");
    whole[19] ^= 1; /* of the width: the checksum of the header is wrong */
    put("p", whole, size);
    refused("a damaged PNG file", "p", "p: ");
}

int main(int argc, char **argv) {
    if (argc != 2 || chdir(argv[1]))
        return 2;
    pgm();
    there_and_back();
    png();
    unlink("p");
    return failures != 0;
}

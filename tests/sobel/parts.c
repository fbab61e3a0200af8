/* The edge detector, cut into parts in every way, against its definition: random pictures of all small sizes
 * and shapes, each PE's part by itself, with the exchange done here. Exit status 0: both agree in every
 * pixel. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detector/part.h"

enum { MAX_PES = 256, MAX_SIZE = 48 * 48 };

static int clamp(int i, int count) {
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* Return the pixel of the result by definition, in integers alone. */
static int defined(const uint8_t *picture, int width, int height, int y, int x) {
    static const int window[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    int across = 0, down = 0, root = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            int pixel = picture[clamp(y + i, height) * width + clamp(x + j, width)];
            across += window[i + 1][j + 1] * pixel;
            down += window[j + 1][i + 1] * pixel;
        }
    while (root < 255 && (root + 1) * (root + 1) <= across * across + down * down)
        root++;
    return root;
}

/* Copy the data that PE k has for the neighbour behind its link to that neighbour's link back. */
static int exchange(struct part *part, int n) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < part[k].links; i++) {
            const struct part_link *link = &part[k].link[i], *other = NULL;
            for (int j = 0; j < part[link->pe].links; j++)
                if (part[link->pe].link[j].there == link->back)
                    other = &part[link->pe].link[j];
            if (!other || other->pe != k || other->back != link->there || other->bytes != link->bytes) {
                printf("PE %d's link in direction %d does not fit PE %d's\n", k, link->there, link->pe);
                return 0;
            }
            memcpy(other->in[n & 1], link->out, link->bytes);
        }
    return 1;
}

static int is_right(const uint8_t *picture, int width, int height, int n) {
    static struct part part[MAX_PES];
    int covered[MAX_SIZE] = {0}, right = 1;
    for (int k = 0; k < n; k++) {
        if (!part_make(&part[k], width, height, k, n))
            abort();
        for (int y = 0; y < part[k].height; y++)
            memcpy(part_pixels(&part[k]) + (size_t)y * part[k].stride,
                   picture + (part[k].top + y) * width + part[k].left, (size_t)part[k].width);
        part_pack(&part[k]);
    }
    right = exchange(part, n);
    for (int k = 0; k < n; k++) {
        part_inner(&part[k]);
        part_outer(&part[k], n & 1);
        for (int i = 0; right && i < part[k].height * part[k].width; i++) {
            int y = part[k].top + i / part[k].width, x = part[k].left + i % part[k].width;
            int expected = defined(picture, width, height, y, x);
            covered[y * width + x]++;
            if (part[k].result[i] == expected)
                continue;
            printf("%d x %d pixels, %d PEs: PE %d has %d instead of %d in row %d, column %d\n", width, height,
                   n, k, part[k].result[i], expected, y, x);
            right = 0;
        }
        part_free(&part[k]);
    }
    for (int i = 0; right && i < width * height; i++)
        if (covered[i] != 1) {
            printf("%d x %d pixels, %d PEs: pixel %d is in %d parts\n", width, height, n, i, covered[i]);
            right = 0;
        }
    return right;
}

/* Neighbours in a row or a column are neighbours in the hypercube: their numbers differ in one bit. */
static int is_embedded(int n) {
    struct part part;
    for (int k = 0; k < n; k++) {
        if (!part_make(&part, n, n, k, n))
            abort();
        for (int i = 0; i < part.links; i++) {
            int direction = part.link[i].there,
                straight = direction == 1 || direction == 3 || direction == 4 || direction == 6;
            if (straight && __builtin_popcount((unsigned)(part.link[i].pe ^ k)) != 1) {
                printf("%d PEs: %d and %d are neighbours in the grid only\n", n, k, part.link[i].pe);
                return 0;
            }
        }
        part_free(&part);
    }
    return 1;
}

int main(void) {
    static uint8_t picture[MAX_SIZE];
    int pictures = 0;
    srand(1);
    for (int n = 1; n <= MAX_PES; n *= 2) {
        if (!is_embedded(n))
            return 1;
        for (int width = 1; width <= 48; width += width < 9 ? 1 : 13)
            for (int height = 1; height <= 48; height += height < 9 ? 1 : 13) {
                if (!part_is_possible(width, height, n))
                    continue;
                /* all grey values, or only black and white, whose gradients are the greatest */
                int few = rand() % 2;
                for (int i = 0; i < width * height; i++)
                    picture[i] = (uint8_t)(few ? rand() % 2 * 255 : rand() % 256);
                if (!is_right(picture, width, height, n))
                    return 1;
                pictures++;
            }
    }
    printf("%d pictures, the same pixel for pixel\n", pictures);
    return pictures < 500;
}

/* Copies past the caches: all alignments and sizes, and nothing beside. */

#include "exchange/copy.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 2000, GUARD = 0xa5 };

static unsigned char in[ROOM], out[ROOM];

static void check(size_t to, size_t from, size_t bytes) {
    memset(out, GUARD, sizeof out);
    if (uno_copy_past(out + to, in + from, bytes) != out + to)
        exit(1);
    for (size_t i = 0; i < sizeof out; i++) {
        unsigned char expected = i >= to && i < to + bytes ? in[from + i - to] : GUARD;
        if (out[i] != expected) {
            printf("%zu bytes from %zu to %zu: byte %zu is %u and not %u\n", bytes, from, to, i, out[i],
                   expected);
            exit(1);
        }
    }
}

int main(void) {
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t to = 0; to < 70; to++)
        for (size_t from = 0; from < 35; from += 3)
            for (size_t bytes = 0; bytes < 700; bytes += 1 + bytes / 9)
                check(to, from, bytes);
    return uno_copy_for(SIZE_MAX / 4) == uno_copy_past && uno_copy_for(4096) == memcpy ? 0 : 1;
}

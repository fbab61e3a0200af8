#include "content.h"

#include <string.h>

#include "harness.h"

enum { ROW = 256 };

/* Every row is 256 bytes of this, from one of the first 256 on. */
static unsigned char line[2 * ROW];

__attribute__((constructor)) static void make(void) {
    for (int i = 0; i < 2 * ROW; i++)
        line[i] = (unsigned char)(7 * i);
}

/* The row of a message that begins at byte `at`. */
static const unsigned char *row(int from, long number, size_t at) {
    return &line[(at / ROW * 13 + at / ROW / 256 * 41 + (size_t)from * 31 + (size_t)number * 17) % ROW];
}

static size_t part(size_t bytes, size_t at) {
    return bytes - at < ROW ? bytes - at : ROW;
}

void content_fill(unsigned char *data, size_t bytes, int from, long number) {
    for (size_t at = 0; at < bytes; at += ROW)
        memcpy(data + at, row(from, number, at), part(bytes, at));
}

void content_check(const unsigned char *data, size_t bytes, int from, long number, int me) {
    for (size_t at = 0; at < bytes; at += ROW) {
        const unsigned char *expected = row(from, number, at);
        if (memcmp(data + at, expected, part(bytes, at)) == 0)
            continue;
        size_t i = 0;
        while (data[at + i] == expected[i])
            i++;
        test_fail("byte %zu of %zu of message %ld from node %d to node %d is wrong", at + i, bytes, number,
                  from, me);
    }
}

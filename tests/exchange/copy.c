/* Copies past the caches: all alignments and sizes, and nothing beside. And which way is taken: the one that
 * was faster in a trial, of which there is one for each size. */

#include "engine/copy.h"
#include "engine/kernel.h"

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

/* Keep the processor for so long. */
static void work(uint64_t ns) {
    for (uint64_t end = uno_kernel_used() + ns; uno_kernel_used() < end;)
        continue;
}

/* Copies of so many bytes, of which one way is slow: seldom is it taken. In the other one the processor is
 * given away for longer than that, as happens to a PE that shares it. */
static void choose(struct uno_copies *copies, size_t bytes, uno_copy *slow) {
    enum { COPIES = 600, TRIALS = 8 };
    int taken = 0;
    for (int i = 0; i < COPIES; i++) {
        if (uno_copy_begin(copies, bytes) == slow) {
            taken++;
            work(100 * 1000);
        } else if (i < TRIALS) {
            uno_kernel_pause(200 * 1000);
        }
        uno_copy_end(copies);
    }
    if (taken < 2 || taken > 20) {
        printf("%zu bytes: the slow way was taken %d of %d times\n", bytes, taken, COPIES);
        exit(1);
    }
}

int main(void) {
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t to = 0; to < 70; to++)
        for (size_t from = 0; from < 35; from += 3)
            for (size_t bytes = 0; bytes < 700; bytes += 1 + bytes / 9)
                check(to, from, bytes);
    static struct uno_copies copies;
    for (int round = 0; round < 2; round++) { /* each longer than a trial's choice lasts */
        choose(&copies, 1 << 20, memcpy);
        choose(&copies, 1 << 21, uno_copy_past);
    }
    return uno_copy_begin(&copies, 4096) == memcpy ? 0 : 1;
}

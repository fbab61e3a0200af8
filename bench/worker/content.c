#include "content.h"

#include <string.h>

#include "pe.h"

struct content content_of(uint64_t number) {
    uint64_t first = bench_mix(number);
    return (struct content){first, bench_mix(first) | 1};
}

void content_fill(struct content content, unsigned char *to, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 8, content.first += content.step)
        memcpy(to + at, &content.first, bytes - at < 8 ? bytes - at : 8);
}

size_t content_wrong(struct content content, const unsigned char *got, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 8, content.first += content.step) {
        size_t count = bytes - at < 8 ? bytes - at : 8;
        uint64_t word = content.first;
        if (memcmp(got + at, &word, count) == 0)
            continue;
        while (got[at] == (unsigned char)word) {
            word >>= 8;
            at++;
        }
        return at;
    }
    return bytes;
}

/* What messages and blocks hold: words that begin anywhere, with a step of their own. */

#ifndef BENCH_WORKER_CONTENT_H
#define BENCH_WORKER_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/* Word j of a content is first + j * step; in the last one what goes beyond the end is cut off. */
struct content {
    uint64_t first, step;
};

/* The content that has this number. */
struct content content_of(uint64_t number);

void content_fill(struct content content, unsigned char *to, size_t bytes);

/* The first byte that is wrong; `bytes`: none. */
size_t content_wrong(struct content content, const unsigned char *got, size_t bytes);

#endif

/* The content of messages and blocks: words that begin anywhere, and grow by a step of their own. */

#ifndef BENCH_WORKER_CONTENT_H
#define BENCH_WORKER_CONTENT_H

#include <stddef.h>
#include <stdint.h>

/* Word j of a content is first + j * step; the last word is cut off at the end. */
struct content {
    uint64_t first, step;
};

/* Return the content that has this number. */
struct content content_of(uint64_t number);

void content_fill(struct content content, unsigned char *to, size_t bytes);

/* Return the index of the first wrong byte; `bytes`: none is wrong. */
size_t content_wrong(struct content content, const unsigned char *got, size_t bytes);

#endif

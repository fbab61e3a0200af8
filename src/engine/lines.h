/* Stores of whole cache lines past the caches: straight to memory, which neither reads them before nor evicts
 * other lines. */

#ifndef UNO_LINES_H
#define UNO_LINES_H

#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { UNO_LINE = 64 };

/* Copy `bytes` bytes, whole lines, to `to`, where a line starts. */
static inline void uno_lines_past(void *to, const void *from, size_t bytes) {
#ifdef __SSE2__
    for (size_t i = 0; i < bytes; i += UNO_LINE) {
        const __m128i *in = (const __m128i *)(const void *)((const char *)from + i);
        __m128i *out = (__m128i *)(void *)((char *)to + i);
        __m128i a = _mm_loadu_si128(in), b = _mm_loadu_si128(in + 1);
        __m128i c = _mm_loadu_si128(in + 2), d = _mm_loadu_si128(in + 3);
        _mm_stream_si128(out, a);
        _mm_stream_si128(out + 1, b);
        _mm_stream_si128(out + 2, c);
        _mm_stream_si128(out + 3, d);
    }
#else
    memcpy(to, from, bytes);
#endif
}

/* Order the stores of uno_lines_past before later stores: the release of a post does not. */
static inline void uno_lines_end(void) {
#ifdef __SSE2__
    _mm_sfence();
#endif
}

#endif

/* The C library's memcpy writes past the caches only where one call copies about as much as the last of them
 * holds; an exchange is many calls, each of a block. Which way is faster depends on the machine, and on what
 * of the data the caches still hold. Where each processor has 512 KB of second-level cache, an exchange of 2
 * PEs was faster past the caches from 64 KB on, but up to 512 KB not with a loop behind it that reads what
 * has come; where it has 2 MB, and a large cache behind that, memcpy was faster up to 256 KB, and for the
 * same blocks again and again up to 4 MB. So a PE times its own copies of each size, and goes on with the
 * faster way; first all by memcpy, then all past the caches, since one finds in them what the last has left.
 */

#include "copy.h"

#include <string.h>

#include "kernel.h"
#include "lines.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* Copy as uno_lines_past does. */
__attribute__((target("avx2"))) static void lines_avx2(char *to, const char *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i += UNO_LINE) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(from + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(from + i + 32));
        _mm256_stream_si256((__m256i *)(void *)(to + i), a);
        _mm256_stream_si256((__m256i *)(void *)(to + i + 32), b);
    }
}

void *uno_copy_past(void *to, const void *from, size_t bytes) {
    char *out = to;
    const char *in = from;
    size_t head = -(uintptr_t)to % UNO_LINE;
    if (bytes < head + UNO_LINE)
        return memcpy(to, from, bytes);
    memcpy(out, in, head);
    size_t lines = (bytes - head) / UNO_LINE * UNO_LINE;
    if (__builtin_cpu_supports("avx2"))
        lines_avx2(out + head, in + head, lines);
    else
        uno_lines_past(out + head, in + head, lines);
    memcpy(out + head + lines, in + head + lines, bytes - head - lines);
    uno_lines_end();
    return to;
}

#else

void *uno_copy_past(void *to, const void *from, size_t bytes) {
    return memcpy(to, from, bytes);
}

#endif

/* ---- which way --------------------------------------------------------------------------------------- */

enum {
    LEAST = 256 << 10, /* bytes that are worth two looks at the clock */
    TRIES = 4,         /* of either way: the first finds pages that nobody has touched */
    LASTS = 512,       /* copies from one trial to the next */
};

uno_copy *uno_copy_begin(struct uno_copies *copies, size_t bytes) {
    copies->now = NULL;
    if (bytes < LEAST)
        return memcpy;
    struct uno_trial *trial = &copies->trial[sizeof bytes * 8 - 1 - (size_t)__builtin_clzl(bytes)];
    if (uno_trial_is_due(trial))
        uno_trial_begin(trial, TRIES);
    copies->now = trial;
    copies->began = uno_trial_runs(trial) ? uno_kernel_used() : 0;
    return uno_trial_way(trial) ? uno_copy_past : memcpy;
}

void uno_copy_end(struct uno_copies *copies) {
    if (!copies->now)
        return;
    if (uno_trial_runs(copies->now))
        uno_trial_learn(copies->now, uno_kernel_used() - copies->began);
    uno_trial_count(copies->now, LASTS);
}

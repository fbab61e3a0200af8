/* Patterns of messages by <vertex.h>. */

#ifndef BENCH_SIDES_MESSAGES_H
#define BENCH_SIDES_MESSAGES_H

#include "side.h"

bench_run vertex_ring, vertex_ringKnown, vertex_swap, vertex_swapKnown, vertex_stream, vertex_streamKnown,
    vertex_sobel, vertex_sobelKnown;

#endif

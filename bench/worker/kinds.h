/* A worker's description of each operation. */

#ifndef BENCH_WORKER_KINDS_H
#define BENCH_WORKER_KINDS_H

#include "protocol.h"

struct bench_kind {
    const char *name;
    enum bench_timing timing;
    enum bench_result result;
};
extern const struct bench_kind bench_kinds[BENCH_KINDS];

#endif

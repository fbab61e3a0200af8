#include "kinds.h"

const struct bench_kind bench_kinds[BENCH_KINDS] = {
#define KIND(name, types, timing, result) [BENCH_OP_##name] = {#name, BENCH_##timing, BENCH_##result},
    BENCH_OPERATIONS(KIND) BENCH_PATTERNS(KIND) BENCH_EXCHANGES(KIND) BENCH_PROGRAMS(KIND)
#undef KIND
};

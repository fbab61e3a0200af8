#include "names.h"

const struct bench_kind bench_kinds[BENCH_KINDS] = {
#define KIND(name, types, timing, result)                                                                    \
    [BENCH_OP_##name] = {"p_" #name, BENCH_##types, BENCH_##timing, BENCH_##result},
#define PATTERN(name, types, timing, result)                                                                 \
    [BENCH_OP_##name] = {#name, BENCH_##types, BENCH_##timing, BENCH_##result},
    BENCH_OPERATIONS(KIND) BENCH_PATTERNS(PATTERN) BENCH_EXCHANGES(PATTERN) BENCH_PROGRAMS(PATTERN)
#undef KIND
#undef PATTERN
};

const char *const bench_suffixes[BENCH_TYPE_COUNT] = {"",
#define SUFFIX(suffix, type) #suffix,
                                                      BENCH_TYPES(SUFFIX)
#undef SUFFIX
};

bool bench_has_type(int op, int type) {
    bool real = type == BENCH_TYPE_f || type == BENCH_TYPE_d;
    switch (bench_kinds[op].types) {
    case BENCH_NONE:
        return type == BENCH_TYPE_;
    case BENCH_INTEGER:
        return type != BENCH_TYPE_ && !real;
    default:
        return type != BENCH_TYPE_;
    }
}

const struct bench_table bench_tables[LAST_TABLE - FIRST_TABLE + 1] = {
#include "tables.def"
};

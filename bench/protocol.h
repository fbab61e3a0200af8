/* The protocol between `unisono bench` and its workers.
 *
 * Every PE of a side (a side: Unisono, an MPI library, the bare exchange) connects to the driver's socket,
 * says hello, and sleeps in read() until it is given a turn. All PEs of a side get the same turn, measure,
 * check and reply. End of file means: end now. All are processes of one machine and one build, so structs go
 * as they are. */

#ifndef BENCH_PROTOCOL_H
#define BENCH_PROTOCOL_H

#include <stdint.h>

#include "operations.def"

enum {
#define OPERATION(name, types, timing, result) BENCH_OP_##name,
    BENCH_OPERATIONS(OPERATION) BENCH_OPS,
    BENCH_OPS_LAST = BENCH_OPS - 1,
    BENCH_PATTERNS(OPERATION) BENCH_EXCHANGES(OPERATION) BENCH_PROGRAMS(OPERATION)
#undef OPERATION
        BENCH_KINDS
};

enum {
    BENCH_TYPE_, /* of operations without a type */
#define TYPE(suffix, type) BENCH_TYPE_##suffix,
    BENCH_TYPES(TYPE)
#undef TYPE
        BENCH_TYPE_COUNT
};

enum bench_types { BENCH_NONE, BENCH_INTEGER, BENCH_ALL };
enum bench_timing { BENCH_LOCAL, BENCH_MEET, BENCH_ROOT, BENCH_FIRST };
enum bench_result {
    BENCH_NOTHING,
    BENCH_NUMBER,
    BENCH_MASK,
    BENCH_VALUE,
    BENCH_ARRAY,
    BENCH_MESSAGE,
    BENCH_PICTURE,
    BENCH_BLOCKS,
    BENCH_ELEMENTS,
    BENCH_FIELD,
    BENCH_PRODUCT,
    BENCH_INTEGRAL
};

enum {
    BENCH_MAX_PES = 64,
    BENCH_WARM_UP = 2,           /* operations before the timed ones of a turn */
    BENCH_BATCH = 50,            /* operations of a batch at most, as in the literature; not for LOCAL ones */
    BENCH_MAX_OPS = 1 << 15,     /* timed operations of a turn */
    BENCH_MAX_VALUES = 1 << 16,  /* results of a turn: operations, or operations times PEs for an array */
    BENCH_POOL = 96 << 20,       /* bytes of the messages of a turn, those of the warm-up included */
    BENCH_BLOCK_POOL = 64 << 20, /* bytes of all blocks of a turn at one PE, if they are small */
    BENCH_BLOCK_LARGE = 8 << 20, /* from so many bytes on all operations of a turn have the same blocks */
    BENCH_LABEL = 40,
    BENCH_TEXT = 200,
};

#define BENCH_HELLO UINT32_C(0x55424e36) /* changes with the protocol */

/* The way in which a side does an operation: not at all; by one call of its own; by an equivalent (the
 * paper's *). */
enum bench_support { BENCH_ABSENT, BENCH_DIRECT, BENCH_EQUIVALENT };

struct bench_hello {
    uint32_t magic;
    int32_t side; /* as given to the worker */
    int32_t me, n;
    char label[BENCH_LABEL]; /* "Open MPI 5.0.11" */
    uint8_t support[BENCH_KINDS][BENCH_TYPE_COUNT];
};

struct bench_turn {
    int32_t op, type;
    int32_t batches; /* each is timed; in a ROOT operation PE 1 + b % (n - 1) answers in batch b */
    int32_t repeat;  /* operations of a batch */
    uint64_t seed;   /* for the data */
    uint64_t bytes;  /* of a message, block or part; of a picture, field or matrix: its rows and columns;
                        intervals */
    /* Above 0: the last PE comes so many ns late to every operation. Only for p_wait, with batches of one. */
    int64_t late;
    int64_t epoch; /* start of a late turn, CLOCK_MONOTONIC ns */
};

/* A reply is followed by `batches` doubles: nanoseconds for one operation, batch by batch; in a late turn, ns
 * from its epoch until this PE entered the operation, if it is the last, or left it. */
struct bench_reply {
    int32_t wrong;                                       /* results that were wrong */
    int32_t batches;                                     /* 0: this PE does not time this operation */
    int64_t switches;                                    /* process switches of this PE in the timed part */
    int64_t processor;                                   /* ns of processor time that it used there */
    int64_t entered[BENCH_WARM_UP], left[BENCH_WARM_UP]; /* CLOCK_MONOTONIC, ns: the warm-up operations */
    char text[BENCH_TEXT];                               /* the first wrong result */
};

/* Return the bytes reserved for a message, so that none shares a cache line with the next. */
static inline uint64_t bench_slot(uint64_t bytes) {
    return bytes ? (bytes + 63) / 64 * 64 : 64;
}

/* Return the bytes from the blocks of one operation to those of the next; 0: they are the same ones. */
static inline uint64_t bench_block_step(uint64_t bytes, int n) {
    return bytes * (uint64_t)n < BENCH_BLOCK_LARGE ? bench_slot(bytes * (uint64_t)n) : 0;
}

#endif

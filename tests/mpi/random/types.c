#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "random.h"
#include "types.def"

/* ---- drawing. What is added or multiplied stays in range, since a signed overflow is no defined result. */

static int64_t draw_signed(uint64_t random, const struct manner *m, int64_t max) {
    uint64_t limit = (uint64_t)max / (uint64_t)m->ranks;
    switch (m->operation) {
    case OP_SUM:
    case OP_JOIN:
        return (int64_t)(random % (2 * limit + 1)) - (int64_t)limit;
    case OP_PROD:
        return (random & 1 ? -1 : 1) * (m->rank < 5 && random & 2 ? 2 : 1);
    case OP_LAND:
        return random % 8 ? (int64_t)(random >> 8 & 127) | 1 : 0;
    case OP_LOR:
    case OP_LXOR:
        return random % 8 ? 0 : (int64_t)(random >> 8 & 127) | 1;
    default:
        return (int64_t)random;
    }
}

static uint64_t draw_unsigned(uint64_t random, const struct manner *m, uint64_t max) {
    if (m->operation == OP_SUM) /* Open MPI 5.0 adds short ones with saturation */
        return random % (max / (uint64_t)m->ranks);
    if (m->operation == OP_LAND || m->operation == OP_LOR || m->operation == OP_LXOR)
        return (uint64_t)draw_signed(random, m, 127);
    return m->operation == OP_PROD ? random | 1 : random;
}

/* Draw numbers of many magnitudes with as many digits as any type has, so that sums and products depend on
 * the order; never -0 or NaN. */
static long double draw_floating(uint64_t random, const struct manner *m) {
    if (m->operation == OP_PROD)
        return (random & 1 ? -1 : 1) * (1 + ldexpl((long double)(random >> 2), -62));
    return ldexpl((long double)(int64_t)(random | 1), (int)(random >> 40) % 25 - 62);
}

/* ---- combining and comparing, type by type */

#define X(mpi, type)                                                                                         \
    static void fold_##mpi(enum operation operation, void *left, const void *right) {                        \
        type a, b;                                                                                           \
        memcpy(&a, left, sizeof a);                                                                          \
        memcpy(&b, right, sizeof b);                                                                         \
        switch (operation) {                                                                                 \
        case OP_MAX:                                                                                         \
            a = b > a ? b : a;                                                                               \
            break;                                                                                           \
        case OP_MIN:                                                                                         \
            a = b < a ? b : a;                                                                               \
            break;                                                                                           \
        case OP_SUM:                                                                                         \
        case OP_JOIN:                                                                                        \
            a = (type)((uint64_t)a + (uint64_t)b);                                                           \
            break;                                                                                           \
        case OP_PROD:                                                                                        \
            a = (type)((uint64_t)a * (uint64_t)b);                                                           \
            break;                                                                                           \
        case OP_LAND:                                                                                        \
            a = a && b;                                                                                      \
            break;                                                                                           \
        case OP_LOR:                                                                                         \
            a = a || b;                                                                                      \
            break;                                                                                           \
        case OP_LXOR:                                                                                        \
            a = !a != !b;                                                                                    \
            break;                                                                                           \
        case OP_BAND:                                                                                        \
            a = (type)(a & b);                                                                               \
            break;                                                                                           \
        case OP_BOR:                                                                                         \
            a = (type)(a | b);                                                                               \
            break;                                                                                           \
        case OP_BXOR:                                                                                        \
            a = (type)(a ^ b);                                                                               \
            break;                                                                                           \
        case OP_LAST:                                                                                        \
            a = b;                                                                                           \
            break;                                                                                           \
        default: /* OP_FIRST */                                                                              \
            break;                                                                                           \
        }                                                                                                    \
        memcpy(left, &a, sizeof a);                                                                          \
    }                                                                                                        \
    static bool equal_##mpi(const void *want, const void *got, long double slack) {                          \
        (void)slack;                                                                                         \
        return memcmp(want, got, sizeof(type)) == 0;                                                         \
    }
TYPES_SIGNED(X)
TYPES_INTEGER(X)
TYPES_UNSIGNED(X)
TYPES_BYTES(X)
TYPES_MOVED(X)
#undef X

#define X(mpi, type)                                                                                         \
    static void draw_##mpi(void *at, uint64_t random, const struct manner *m) {                              \
        type v = (type)draw_signed(random, m, (int64_t)(UINT64_MAX >> (65 - 8 * sizeof(type))));             \
        memcpy(at, &v, sizeof v);                                                                            \
    }
TYPES_SIGNED(X)
TYPES_INTEGER(X)
#undef X

#define X(mpi, type)                                                                                         \
    static void draw_##mpi(void *at, uint64_t random, const struct manner *m) {                              \
        type v = (type)draw_unsigned(random, m, UINT64_MAX >> (64 - 8 * sizeof(type)));                      \
        memcpy(at, &v, sizeof v);                                                                            \
    }
TYPES_UNSIGNED(X)
TYPES_BYTES(X)
TYPES_MOVED(X)
#undef X

#define X(mpi, type)                                                                                         \
    static void draw_##mpi(void *at, uint64_t random, const struct manner *m) {                              \
        bool moved = m->operation == OPERATION_COUNT;                                                        \
        type v = moved ? random & 1 : draw_signed(random, m, 127) != 0;                                      \
        memcpy(at, &v, sizeof v);                                                                            \
    }                                                                                                        \
    static void fold_##mpi(enum operation operation, void *left, const void *right) {                        \
        type a, b;                                                                                           \
        memcpy(&a, left, sizeof a);                                                                          \
        memcpy(&b, right, sizeof b);                                                                         \
        a = operation == OP_LAND ? a && b : operation == OP_LOR ? a || b : a != b;                           \
        memcpy(left, &a, sizeof a);                                                                          \
    }                                                                                                        \
    static bool equal_##mpi(const void *want, const void *got, long double slack) {                          \
        (void)slack;                                                                                         \
        return memcmp(want, got, sizeof(type)) == 0;                                                         \
    }
TYPES_LOGICAL(X)
#undef X

#define X(mpi, type)                                                                                         \
    static void draw_##mpi(void *at, uint64_t random, const struct manner *m) {                              \
        type v = (type)draw_floating(random, m);                                                             \
        memcpy(at, &v, sizeof v);                                                                            \
    }                                                                                                        \
    static void fold_##mpi(enum operation operation, void *left, const void *right) {                        \
        type a, b;                                                                                           \
        memcpy(&a, left, sizeof a);                                                                          \
        memcpy(&b, right, sizeof b);                                                                         \
        switch (operation) {                                                                                 \
        case OP_MAX:                                                                                         \
            a = b > a ? b : a;                                                                               \
            break;                                                                                           \
        case OP_MIN:                                                                                         \
            a = b < a ? b : a;                                                                               \
            break;                                                                                           \
        case OP_SUM:                                                                                         \
        case OP_JOIN:                                                                                        \
            a += b;                                                                                          \
            break;                                                                                           \
        case OP_PROD:                                                                                        \
            a *= b;                                                                                          \
            break;                                                                                           \
        case OP_LAST:                                                                                        \
            a = b;                                                                                           \
            break;                                                                                           \
        default: /* OP_FIRST */                                                                              \
            break;                                                                                           \
        }                                                                                                    \
        memcpy(left, &a, sizeof a);                                                                          \
    }                                                                                                        \
    static bool equal_##mpi(const void *want, const void *got, long double slack) {                          \
        type a, b;                                                                                           \
        memcpy(&a, want, sizeof a);                                                                          \
        memcpy(&b, got, sizeof b);                                                                           \
        return fabsl((long double)a - (long double)b) <= slack;                                              \
    }                                                                                                        \
    static long double magnitude_##mpi(const void *at) {                                                     \
        type v;                                                                                              \
        memcpy(&v, at, sizeof v);                                                                            \
        return fabsl(v);                                                                                     \
    }
TYPES_FLOATING(X)
#undef X

#define X(mpi, type)                                                                                         \
    static void draw_##mpi(void *at, uint64_t random, const struct manner *m) {                              \
        type v[2] = {(type)draw_floating(random, m), (type)draw_floating(~random * 5, m)};                   \
        memcpy(at, v, sizeof v);                                                                             \
    }                                                                                                        \
    static void fold_##mpi(enum operation operation, void *left, const void *right) {                        \
        type a[2], b[2];                                                                                     \
        memcpy(a, left, sizeof a);                                                                           \
        memcpy(b, right, sizeof b);                                                                          \
        type sum[2] = {a[0] + b[0], a[1] + b[1]};                                                            \
        type product[2] = {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};                            \
        memcpy(left, operation == OP_SUM ? sum : product, sizeof a);                                         \
    }                                                                                                        \
    static bool equal_##mpi(const void *want, const void *got, long double slack) {                          \
        type a[2], b[2];                                                                                     \
        memcpy(a, want, sizeof a);                                                                           \
        memcpy(b, got, sizeof b);                                                                            \
        return fabsl((long double)a[0] - (long double)b[0]) <= slack &&                                      \
               fabsl((long double)a[1] - (long double)b[1]) <= slack;                                        \
    }                                                                                                        \
    static long double magnitude_##mpi(const void *at) {                                                     \
        type v[2];                                                                                           \
        memcpy(v, at, sizeof v);                                                                             \
        return fabsl(v[0]) + fabsl(v[1]);                                                                    \
    }
TYPES_COMPLEX(X)
#undef X

/* The values are few, so that the index decides often. */
#define X(mpi, type, where)                                                                                  \
    struct pair_##mpi {                                                                                      \
        type value;                                                                                          \
        where index;                                                                                         \
    };                                                                                                       \
    static void draw_##mpi(void *at, uint64_t random, const struct manner *m) {                              \
        (void)m;                                                                                             \
        struct pair_##mpi v;                                                                                 \
        memset(&v, FILL, sizeof v);                                                                          \
        v.value = (type)((int)(random % 5) - 2);                                                             \
        v.index = (where)(random >> 32 & 1023);                                                              \
        memcpy(at, &v, sizeof v);                                                                            \
    }                                                                                                        \
    static void fold_##mpi(enum operation operation, void *left, const void *right) {                        \
        struct pair_##mpi a, b;                                                                              \
        memcpy(&a, left, sizeof a);                                                                          \
        memcpy(&b, right, sizeof b);                                                                         \
        bool better = operation == OP_MAXLOC ? b.value > a.value : b.value < a.value;                        \
        if (better || (b.value == a.value && b.index < a.index))                                             \
            memcpy(left, &b, sizeof b);                                                                      \
    }                                                                                                        \
    static bool equal_##mpi(const void *want, const void *got, long double slack) {                          \
        (void)slack;                                                                                         \
        struct pair_##mpi a, b;                                                                              \
        memcpy(&a, want, sizeof a);                                                                          \
        memcpy(&b, got, sizeof b);                                                                           \
        return a.value == b.value && a.index == b.index;                                                     \
    }
TYPES_PAIR(X)
#undef X

/* ---- types of this program: with holes, which must stay as they are */

struct record {
    int32_t a;
    double b;
    char c[3];
};

static void draw_record(void *at, uint64_t random, const struct manner *m) {
    (void)m;
    struct record *v = at;
    memset(v, FILL, sizeof *v);
    int32_t a = (int32_t)random;
    double b = (double)(random >> 20);
    memcpy(&v->a, &a, sizeof a);
    memcpy(&v->b, &b, sizeof b);
    memcpy(v->c, &random, 3);
}

static bool equal_record(const void *want, const void *got, long double slack) {
    (void)slack;
    return memcmp(want, got, sizeof(struct record)) == 0;
}

/* x -> a x + b. The composition is associative, but not commutative. */
struct affine {
    uint64_t a, b;
};
struct affine_apart {
    uint64_t a, hole, b, end;
};

#define COMPOSED_TYPES(X)                                                                                    \
    X(affine)                                                                                                \
    X(affine_apart)

#define X(type)                                                                                              \
    static void draw_##type(void *at, uint64_t random, const struct manner *m) {                             \
        (void)m;                                                                                             \
        struct type v;                                                                                       \
        memset(&v, FILL, sizeof v);                                                                          \
        v.a = random | 1;                                                                                    \
        v.b = random * 7 + 3;                                                                                \
        memcpy(at, &v, sizeof v);                                                                            \
    }                                                                                                        \
    static void fold_##type(enum operation operation, void *left, const void *right) {                       \
        (void)operation;                                                                                     \
        struct type *l = left;                                                                               \
        const struct type *r = right;                                                                        \
        l->b = l->a * r->b + l->b;                                                                           \
        l->a = l->a * r->a;                                                                                  \
    }                                                                                                        \
    static bool equal_##type(const void *want, const void *got, long double slack) {                         \
        (void)slack;                                                                                         \
        return memcmp(want, got, sizeof(struct type)) == 0;                                                  \
    }
COMPOSED_TYPES(X)
#undef X

/* ---- the table */

#define EPSILON(type) _Generic((type)0, float : FLT_EPSILON, double : DBL_EPSILON, long double : LDBL_EPSILON)
struct basic basics[] = {
#define X(mpi, type) {#mpi, mpi, sizeof(type), SIGNED, draw_##mpi, fold_##mpi, equal_##mpi, NULL, 0, 0},
    TYPES_SIGNED(X)
#undef X
#define X(mpi, type) {#mpi, mpi, sizeof(type), INTEGER, draw_##mpi, fold_##mpi, equal_##mpi, NULL, 0, 0},
        TYPES_INTEGER(X)
#undef X
#define X(mpi, type) {#mpi, mpi, sizeof(type), UNSIGNED, draw_##mpi, fold_##mpi, equal_##mpi, NULL, 0, 0},
            TYPES_UNSIGNED(X)
#undef X
#define X(mpi, type) {#mpi, mpi, sizeof(type), LOGICAL, draw_##mpi, fold_##mpi, equal_##mpi, NULL, 0, 0},
                TYPES_LOGICAL(X)
#undef X
#define X(mpi, type) {#mpi, mpi, sizeof(type), BYTES, draw_##mpi, fold_##mpi, equal_##mpi, NULL, 0, 0},
                    TYPES_BYTES(X)
#undef X
#define X(mpi, type) {#mpi, mpi, sizeof(type), MOVED, draw_##mpi, fold_##mpi, equal_##mpi, NULL, 0, 0},
                        TYPES_MOVED(X)
#undef X
#define X(mpi, type)                                                                                         \
    {#mpi,       mpi,         sizeof(type),    FLOATING,      draw_##mpi,                                    \
     fold_##mpi, equal_##mpi, magnitude_##mpi, EPSILON(type), 0},
                            TYPES_FLOATING(X)
#undef X
#define X(mpi, type)                                                                                         \
    {#mpi,       mpi,         2 * sizeof(type), COMPLEX,       draw_##mpi,                                   \
     fold_##mpi, equal_##mpi, magnitude_##mpi,  EPSILON(type), 0},
                                TYPES_COMPLEX(X)
#undef X
#define X(mpi, type, where)                                                                                  \
    {#mpi, mpi, sizeof(struct pair_##mpi), PAIR, draw_##mpi, fold_##mpi, equal_##mpi, NULL, 0, 0},
                                    TYPES_PAIR(X)
#undef X
                                        {"a struct with holes", MPI_DATATYPE_NULL, sizeof(struct record),
                                         MOVED, draw_record, NULL, equal_record, NULL, 0, 0},
#define X(type)                                                                                              \
    {                                                                                                        \
        #type,                                                                                               \
        MPI_DATATYPE_NULL,                                                                                   \
        sizeof(struct type),                                                                                 \
        COMPOSED,                                                                                            \
        draw_##type,                                                                                         \
        fold_##type,                                                                                         \
        equal_##type,                                                                                        \
        NULL,                                                                                                \
        0,                                                                                                   \
        0},
    COMPOSED_TYPES(X)
#undef X
};
const int basic_count = sizeof basics / sizeof *basics;

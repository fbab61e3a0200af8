/* Every generic form with every type, against the function with the suffix. PEs that meet in different
 * operations or types end the job, so some PEs call one form and some the other, and then the reverse: a form
 * that picks the wrong function is an error even where the result is the same. generic.cpp is this file as
 * C++.
 *
 *     generic        as the PEs of `unisono run`
 *     generic N      as a team of N PEs */

#include <limits.h>
#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 64 };
typedef long long long_long;
typedef unsigned long unsigned_long;
typedef unsigned long long unsigned_long_long;

static int wrong(const char *what, bool ok) {
    if (!ok)
        fprintf(stderr, "PE %d of %d: %s is wrong\n", p_iproc(), p_nproc(), what);
    return !ok;
}

/* Call the two forms alternately, by PE and by round. */
#define COMPARE(T, what, generic, plain)                                                                     \
    for (int round = 0; round < 2; round++) {                                                                \
        T want = (T)(plain);                                                                                 \
        T got = (p_iproc() + round) % 2 ? (T)(generic) : (T)(plain);                                         \
        failed += wrong(what, got == want);                                                                  \
    }
#define SAME(T, form, s, d) COMPARE(T, #form #s, form(d), form##s(d))
#define SAME_BITS(T, form, s, d) COMPARE(T, #form "Bits" #s, form##Bits(d, bits), form##Bits##s(d, bits))

/* Compare a row of papers/functions.def, with values that have a 0 among them, and without. */
#define SAME_ROW(name, shape, combine, T, s) SAME_##shape(T, name, s)
#define SAME_ROW_BITS(name, shape, combine, T, s) SAME_BITS_##shape(T, name, s)
#define SAME_VALUE(T, form, s) SAME(T, form, s, d) SAME(T, form, s, one)
#define SAME_NUMBER(T, form, s) SAME(int, form, s, d)
#define SAME_MASK(T, form, s) SAME(uint64_t, form, s, d)
#define SAME_BITS_VALUE(T, form, s) SAME_BITS(T, form, s, d)
#define SAME_BITS_NUMBER(T, form, s) SAME_BITS(int, form, s, d)
#define SAME_BITS_MASK(T, form, s) SAME_BITS(uint64_t, form, s, d)
/* Rows that are checked one by one. */
#define SAME_FROM(T, form, s)
#define SAME_ARRAY(T, form, s)
#define SAME_PUTGET(T, form, s)
#define SAME_BITS_FROM(T, form, s)
#define SAME_BITS_ARRAY(T, form, s)
#define SAME_BITS_PUTGET(T, form, s)

#define CHECK_ANY(name, T, s)                                                                                \
    static int any_##name(void) {                                                                            \
        int failed = 0, me = p_iproc(), n = p_nproc(), next = (me + 1) % n;                                  \
        T d = (T)(me % 3), x = d, all[MAX];                                                                  \
        const T one = (T)(me % 3 + 1);                                                                       \
        uint64_t mask[MAX / 64];                                                                             \
        COMPARE(T, "p_putget" #s, p_putget(d, next), p_putget##s(d, next))                                   \
        failed += wrong("p_putget" #s, p_putget(d, next) == (T)(next % 3));                                  \
        PAPERS_FUNCTIONS_ALL(SAME_ROW, T, s)                                                                 \
        if (me % 2)                                                                                          \
            p_matchWide(mask, d);                                                                            \
        else                                                                                                 \
            p_matchWide##s(mask, d);                                                                         \
        failed += wrong("p_matchWide" #s, mask[0] == p_match##s(d));                                         \
        p_gather(all, d);                                                                                    \
        for (int k = 0; k < n; k++)                                                                          \
            failed += wrong("p_gather" #s, all[k] == (T)(k % 3));                                            \
        for (int root = 0; root < n; root++)                                                                 \
            if (me == root)                                                                                  \
                p_bcastPut(d);                                                                               \
            else if (me % 2)                                                                                 \
                failed += wrong("p_bcastGet" #s, p_bcastGet(x) == (T)(root % 3) && x == (T)(root % 3));      \
            else                                                                                             \
                failed += wrong("p_bcastGet" #s, (T)p_bcastGet##s() == (T)(root % 3));                       \
        return failed;                                                                                       \
    }

#define CHECK_INTEGER(name, T, s)                                                                            \
    static int integer_##name(void) {                                                                        \
        int failed = 0;                                                                                      \
        const T d = (T)(p_iproc() % 3), one = (T)(p_iproc() % 3 + 1);                                        \
        PAPERS_FUNCTIONS_INTEGER(SAME_ROW, T, s)                                                             \
        return failed;                                                                                       \
    }

#define CHECK_NARROW(name, T, s, width)                                                                      \
    static int narrow_##name(void) {                                                                         \
        int failed = 0, me = p_iproc(), n = p_nproc(), next = (me + 1) % n, bits = width == 1 ? 1 : 2;       \
        T d = (T)(width == 1 ? me % 2 : me % 3 + 2), low = width == 1 ? d : (T)(d & 3), x = d, all[MAX];     \
        uint64_t mask[MAX / 64];                                                                             \
        COMPARE(T, "p_putgetBits" #s, p_putgetBits(d, next, bits), p_putgetBits##s(d, next, bits))           \
        PAPERS_FUNCTIONS_ALL(SAME_ROW_BITS, T, s)                                                            \
        PAPERS_FUNCTIONS_INTEGER(SAME_ROW_BITS, T, s)                                                        \
        SAME_BITS(uint64_t, p_match, s, low)                                                                 \
        SAME_BITS(int, p_matchCount, s, low)                                                                 \
        p_matchWideBits(mask, low, bits);                                                                    \
        failed += wrong("p_matchWideBits" #s, mask[0] == p_matchBits##s(low, bits));                         \
        p_gatherBits(all, d, bits);                                                                          \
        failed += wrong("p_gatherBits" #s, all[me] == low && all[next] == p_putgetBits(d, next, bits));      \
        if (me == n - 1)                                                                                     \
            p_bcastPutBits(d, bits);                                                                         \
        else                                                                                                 \
            failed += wrong("p_bcastGetBits" #s, p_bcastGetBits(x, bits) == all[n - 1] && x == all[n - 1]);  \
        return failed;                                                                                       \
    }

/* The C type by which a row of types.def is called in generic form. */
#define KEY_1(type) bool
#define KEY_8(type) type
#define KEY_16(type) type
#define KEY_32(type) type
#define KEY_64(type) type

#define ROW(suffix, type, width) CHECK_ANY(suffix, KEY_##width(type), suffix)
#define ROW_INTEGER(suffix, type, width) CHECK_INTEGER(suffix, KEY_##width(type), suffix)
#define ROW_UNSIGNED(suffix, type, width) CHECK_NARROW(suffix, KEY_##width(type), suffix, width)
PAPERS_ALL(ROW)
PAPERS_INTEGER(ROW_INTEGER)
PAPERS_UNSIGNED(ROW_UNSIGNED)

/* The types without a row; on most machines two of these have one: X(name, type, suffix, width). */
#if LONG_MAX == INT64_MAX
#define UNSIGNED_LONGS(X) X(unsigned_long, unsigned_long, 64u, 64)
#define LONGS(X) X(long, long, 64, 64)
#else
#define UNSIGNED_LONGS(X) X(unsigned_long, unsigned_long, 32u, 32)
#define LONGS(X) X(long, long, 32, 32)
#endif
#define UNSIGNED_EXTRA(X) UNSIGNED_LONGS(X) X(unsigned_long_long, unsigned_long_long, 64u, 64)
#if CHAR_MIN < 0
#define EXTRA(X) UNSIGNED_EXTRA(X) LONGS(X) X(long_long, long_long, 64, 64) X(char, char, 8, 8)
#else
#define EXTRA(X) UNSIGNED_EXTRA(X) LONGS(X) X(long_long, long_long, 64, 64) X(char, char, 8u, 8)
#endif
#define ONE(name, type, suffix, width) CHECK_ANY(name, type, suffix) CHECK_INTEGER(name, type, suffix)
EXTRA(ONE)
UNSIGNED_EXTRA(CHECK_NARROW)

/* A gather leaves the entries of PEs outside the group alone, in arrays of the types without a row too. */
static int in_a_group(void) {
    int failed = 0, n = p_nproc(), outside = n / 2;
    if (n > 1 && p_iproc() != outside) {
        p_enqueue(ALL_MASK & ~((uint64_t)1 << outside));
        bool truths[MAX] = {false};
        char letters[MAX] = {0};
        long_long numbers[MAX] = {0};
        truths[outside] = true;
        letters[outside] = 'x';
        numbers[outside] = -1;
        p_gather(truths, false);
        p_gather(letters, 'y');
        p_gather(numbers, p_iproc());
        for (int k = 0; k < n; k++) {
            failed += wrong("p_gather of bool in a group", truths[k] == (k == outside));
            failed += wrong("p_gather of char in a group", letters[k] == (k == outside ? 'x' : 'y'));
            failed += wrong("p_gather of long long in a group", numbers[k] == (k == outside ? -1 : k));
        }
        p_enqueue(ALL_MASK);
    }
    p_wait();
    return failed;
}

static int once(void) {
    int calls = 0;
    (void)p_reduceAdd(++calls);
    return wrong("the number of evaluations of an argument", calls == 1);
}

static int test(void *unused) {
    (void)unused;
    int failed = in_a_group() + once();
#define RUN_ANY(suffix, type, width) failed += any_##suffix();
#define RUN_INTEGER(suffix, type, width) failed += integer_##suffix();
#define RUN_NARROW(suffix, type, width) failed += narrow_##suffix();
    PAPERS_ALL(RUN_ANY)
    PAPERS_INTEGER(RUN_INTEGER)
    PAPERS_UNSIGNED(RUN_NARROW)
#define RUN_ONE(name, type, suffix, width) failed += any_##name() + integer_##name();
#define RUN_ONE_NARROW(name, type, suffix, width) failed += narrow_##name();
    EXTRA(RUN_ONE)
    UNSIGNED_EXTRA(RUN_ONE_NARROW)
    return failed;
}

int main(int argc, char **argv) {
    if (argc > 1)
        return p_team(atoi(argv[1]), test, NULL) != 0;
    p_init();
    return p_exit(test(NULL) != 0);
}

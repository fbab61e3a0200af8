/* The programs of <vertex/cube.h>: places, broadcast, combination, and subcubes that do not disturb each
 * other. */

#include <vertex/cube.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { ROUNDS = 30, MAX_BYTES = 100000, USER_TYPE = 5 };

/* ---- places ------------------------------------------------------------------------------------------ */

static void check_codes(void) {
    bool seen[1 << 12] = {false};
    for (int i = 0; i < 1 << 12; i++) {
        int code = ngray(i);
        CHECK(code >= 0 && code < 1 << 12 && !seen[code]);
        CHECK_INT(i, nungray(code));
        seen[code] = true;
        CHECK_INT(1, __builtin_popcount((unsigned)(code ^ ngray(i + 1))));
        if (i > 1 && (i & (i - 1)) == 0) /* the first 2^k are a ring, of the numbers below 2^k */
            CHECK(__builtin_popcount((unsigned)ngray(i - 1)) == 1 && code >= i);
    }
}

static void check_places(int me, int dimension) {
    for (int k = 0; k < dimension; k++)
        CHECK_INT(me ^ 1 << k, nneighbor(k));
    int n = 1 << dimension;
    for (int steps = -2 * n; steps <= 2 * n; steps++)
        CHECK_INT(ngray((nungray(me) + steps + 2 * n) % n), nring(steps));
    if (n > 1)
        CHECK_INT(1, __builtin_popcount((unsigned)(me ^ nring(1))));
}

/* ---- all together ------------------------------------------------------------------------------------ */

static void fill(unsigned char *data, size_t bytes, uint64_t seed) {
    struct rng r = {seed};
    for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t word = rng_next(&r);
        memcpy(data + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
    }
}

static size_t some_bytes(struct rng *r) {
    static const int most[] = {1, 8, 100, 5000, MAX_BYTES};
    return (size_t)rng_below(r, most[rng_below(r, 5)] + 1);
}

static void check_spread(uint64_t seed, int me, int n) {
    static _Thread_local unsigned char data[MAX_BYTES + 1], expected[MAX_BYTES];
    for (int i = 0; i < ROUNDS; i++) {
        struct rng r = rng_for(seed, 1, (uint64_t)i, 0);
        int root = rng_below(&r, n);
        size_t bytes = some_bytes(&r);
        memset(data, 0, sizeof data);
        fill(expected, bytes, seed + (uint64_t)i);
        if (me == root)
            memcpy(data, expected, bytes);
        nspread(data, bytes, root);
        CHECK(memcmp(data, expected, bytes) == 0 && data[bytes] == 0);
    }
}

/* x -> a x + b modulo 2^64: the composition is associative, and does not commute. */
struct affine {
    uint64_t a, b;
};

static void after(void *left, const void *right, size_t bytes, void *calls) {
    struct affine *l = left;
    const struct affine *r = right;
    ++*(int *)calls;
    for (size_t i = 0; i < bytes / sizeof *l; i++) {
        l[i].b = l[i].b * r[i].a + r[i].b;
        l[i].a *= r[i].a;
    }
}

static void check_combine(uint64_t seed, int me, int dimension) {
    enum { MOST = 3000 };
    static _Thread_local struct affine data[MOST], expected[MOST], other[MOST];
    for (int i = 0; i < ROUNDS; i++) {
        struct rng r = rng_for(seed, 2, (uint64_t)i, 0);
        size_t count = (size_t)rng_below(&r, i % 4 ? 10 : MOST) + 1, bytes = count * sizeof *data;
        int calls = 0, unused = 0;
        for (int k = 0; k < 1 << dimension; k++) {
            struct affine *to = k ? other : expected;
            fill((unsigned char *)to, bytes, seed ^ (uint64_t)(i * 2000 + k));
            if (k == me)
                memcpy(data, to, bytes);
            if (k)
                after(expected, other, bytes, &unused);
        }
        ncombine(data, bytes, after, &calls);
        CHECK(memcmp(data, expected, bytes) == 0);
        CHECK_INT(dimension, calls);
    }
    ncombine(NULL, 0, after, &(int){0});
}

/* Check that no message has come that nread would see; and none comes before all of the group know that. */
static void expect_silence(void) {
    int from = NANY, type = NANY;
    CHECK_INT(-1, ntest(&from, &type));
    p_wait();
}

/* Messages within the operations above are invisible to a node that reads any type from anyone. */
static void check_privacy(int me, int n) {
    int value = me, from = NANY, type = NANY;
    nwrite(&value, sizeof value, (me + 1) % n, USER_TYPE);
    int root = n / 2;
    for (int i = 0; i < ROUNDS; i++) {
        value = me == root ? i : -1;
        nspread(&value, sizeof value, root);
        CHECK_INT(i, value);
    }
    CHECK_INT(sizeof value, nread(&value, sizeof value, &from, &type));
    CHECK_INT((me + n - 1) % n, from);
    CHECK_INT(from, value);
    CHECK_INT(USER_TYPE, type);
    expect_silence();
}

/* ---- subcubes ---------------------------------------------------------------------------------------- */

/* Send and read messages of any type, from anyone: each of the other nodes of the subcube gets equally many
 * from this one. */
static void traffic(uint64_t seed, int me, int n, int mark) {
    struct message {
        int mark, from, number;
    } message;
    int next[TEST_MAX_PES] = {0}, each = 1 + 40 / n;
    struct rng r = rng_for(seed, 3, (uint64_t)mark, (uint64_t)me);
    for (int i = 0; i < each; i++)
        for (int k = 0; k < n; k++) {
            message = (struct message){mark, me, i};
            nwrite(&message, sizeof message, (me + k) % n, rng_below(&r, 3));
        }
    for (int i = 0; i < each * n; i++) {
        int from = NANY, type = NANY;
        CHECK_INT(sizeof message, nread(&message, sizeof message, &from, &type));
        CHECK_INT(mark, message.mark);
        CHECK_INT(from, message.from);
        CHECK(from >= 0 && from < n);
        CHECK_INT(next[from]++, message.number);
    }
    p_wait(); /* nobody reads another message for one of these */
}

/* Go into ever smaller subcubes, and out again. Unread messages of the level above come along. */
static void dive(uint64_t seed, int me, int dimension) {
    int node, now, n = 1 << dimension, mark = p_iproc() >> dimension << 5 | dimension;
    nwhoami(&node, &now);
    CHECK_INT(me, node);
    CHECK_INT(dimension, now);
    CHECK_INT(n, p_population());
    check_places(me, dimension);
    traffic(seed, me, n, mark);
    if (dimension == 0)
        return;
    int letter = 1000 * dimension + me, from = NANY, type = NANY;
    nwrite(&letter, sizeof letter, n - 1 - me, USER_TYPE);
    int below = (int)(rng_for(seed, 4, (uint64_t)mark, 0).state % (uint64_t)dimension);
    nsubcube(below);
    expect_silence();
    dive(seed, me & ((1 << below) - 1), below);
    expect_silence();
    check_spread(seed, me & ((1 << below) - 1), 1 << below);
    check_combine(seed + (uint64_t)mark, me & ((1 << below) - 1), below);
    CHECK_INT(1 << below, p_reduceAdd32(1));
    nsupercube();
    CHECK_INT(sizeof letter, nread(&letter, sizeof letter, &from, &type));
    CHECK_INT(n - 1 - me, from);
    CHECK_INT(1000 * dimension + from, letter);
    check_places(me, dimension);
    p_wait();
}

/* Return to the same subcubes: messages left from the last time are not lost. */
static void return_to(int me, int dimension) {
    int value = me, from = NANY, type = NANY;
    if (dimension == 0)
        return;
    nsubcube(0);
    nwrite(&value, sizeof value, 0, USER_TYPE);
    nsupercube();
    expect_silence();
    nsubcube(0);
    CHECK_INT(sizeof value, nread(&value, sizeof value, &from, &type));
    CHECK_INT(me, value);
    CHECK_INT(0, from);
    nsupercube();
}

static int body(void *unused) {
    (void)unused;
    int me, dimension;
    uint64_t seed = test_seed();
    nwhoami(&me, &dimension);
    CHECK(dimension >= 0);
    check_codes();
    check_spread(seed, me, 1 << dimension);
    check_combine(seed, me, dimension);
    check_privacy(me, 1 << dimension);
    for (long i = 0; i == 0 || i < test.operations; i++)
        dive(seed + (uint64_t)i, me, dimension);
    return_to(me, dimension);
    p_wait();
    return 0;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}

/* nwrite, nread, ntest, nprobe: every length, order, any node and any type, oneself, more than the pool
 * holds. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vertex.h>

#include "content.h"
#include "harness.h"

static _Thread_local int me, n;

static void write_to(int node, int type, size_t bytes, long number) {
    unsigned char *data = malloc(bytes + 1);
    content_fill(data, bytes, me, number);
    nwrite(data, bytes, node, type);
    memset(data, 0xee, bytes); /* it may be changed */
    free(data);
}

static void read_from(int node, int type, size_t bytes, long number) {
    unsigned char *data = malloc(bytes + 3);
    int from = node, what = type;
    data[bytes] = 0xaa;
    CHECK_INT((long long)bytes, nread(data, bytes + 2, &from, &what));
    CHECK_INT(node, from);
    CHECK_INT(type, what);
    CHECK_INT(0xaa, data[bytes]); /* nothing beyond it is touched */
    content_check(data, bytes, node, number, me);
    free(data);
}

static const size_t lengths[] = {0,
                                 1,
                                 2,
                                 7,
                                 8,
                                 9,
                                 47,
                                 48,
                                 49,
                                 56,
                                 63,
                                 64,
                                 65,
                                 103,
                                 104,
                                 105,
                                 159,
                                 160,
                                 161,
                                 215,
                                 216,
                                 217,
                                 255,
                                 256,
                                 257,
                                 1000,
                                 4095,
                                 4096,
                                 4097,
                                 65535,
                                 65536,
                                 65537,
                                 100001,
                                 131072,
                                 200000,
                                 1 << 20,
                                 (1 << 20) + 1,
                                 3000001};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Round the ring, one node after the other. */
static void ring(void) {
    for (int i = 0; i < LENGTHS; i++) {
        int next = (me + 1) % n, before = (me + n - 1) % n;
        if (me == 0)
            write_to(next, i, lengths[i], i);
        read_from(before, i, lengths[i], i);
        if (me != 0)
            write_to(next, i, lengths[i], i);
    }
}

/* Write from every node to every node, itself too, before anyone reads; then read by node, and within a node
 * in the reverse order of types. */
static void all_to_all(void) {
    for (int i = 0; i < LENGTHS; i++)
        for (int k = 0; k < n; k++)
            if (lengths[i] * (size_t)n < 2000000)
                write_to((me + k) % n, i, lengths[i], i);
    for (int k = 0; k < n; k++)
        for (int i = LENGTHS - 1; i >= 0; i--)
            if (lengths[i] * (size_t)n < 2000000)
                read_from((me + k) % n, i, lengths[i], i);
}

/* Many messages of two types, outstanding together; each type in its order, from any node. */
static void order(void) {
    enum { MANY = 20000 };
    int share = MANY / n;
    for (int i = 0; i < share; i++)
        for (int k = 0; k < n; k++) {
            long number = i;
            nwrite(&number, sizeof number, k, i % 2);
        }
    long *next = calloc((size_t)n * 2, sizeof *next);
    for (int type = 1; type >= 0; type--)
        for (int i = 0; i < (share + 1 - type) / 2 * n; i++) {
            int from = NANY, what = type;
            long number;
            CHECK_INT(sizeof number, nread(&number, sizeof number, &from, &what));
            CHECK_INT(type, what);
            long *expected = &next[from * 2 + type];
            CHECK_INT(*expected * 2 + type, number);
            ++*expected;
        }
    for (int i = 0; i < 2 * n; i++)
        CHECK_INT((share + 1 - i % 2) / 2, next[i]);
    free(next);
    p_wait();
    CHECK_INT(-1, ntest(NULL, NULL));
}

/* ntest tells what nread would give, and takes nothing. */
static void look(void) {
    int node = me, type = 5;
    CHECK_INT(-1, ntest(&node, &type));
    CHECK_INT(me, node);
    write_to(me, 5, 100, 1);
    write_to(me, 6, 300000, 2);
    node = NANY, type = 6;
    CHECK_INT(300000, ntest(&node, &type));
    CHECK_INT(me, node);
    node = NANY, type = NANY;
    CHECK_INT(100, ntest(&node, &type));
    CHECK_INT(5, type);
    CHECK_INT(100, ntest(NULL, NULL));
    type = 7;
    CHECK_INT(-1, ntest(NULL, &type));
    read_from(me, 6, 300000, 2);
    read_from(me, 5, 100, 1);
    p_wait();
    write_to((me + 1) % n, 9, 70000, 3);
    node = (me + n - 1) % n, type = 9;
    CHECK_INT(70000, nprobe(&node, &type));
    CHECK_INT(70000, ntest(&node, &type));
    read_from(node, 9, 70000, 3);
    p_wait();
}

/* Write from every node far more than the pool holds to the next one, and only then read. */
static void pool(void) {
    enum { EACH = 40 };
    npool(300000);
    for (int i = 0; i < EACH; i++)
        write_to((me + 1) % n, 0, i % 3 ? 200000 : 100, i);
    for (int i = 0; i < EACH; i++)
        read_from((me + n - 1) % n, 0, i % 3 ? 200000 : 100, i);
    npool(0);
    for (int i = 0; i < 3000; i++)
        nwrite(&i, sizeof i, (me + 1) % n, 1);
    for (int i = 0; i < 3000; i++) {
        int got, type = 1;
        nread(&got, sizeof got, NULL, &type);
        CHECK_INT(i, got);
    }
    npool(64 << 20);
    p_wait();
}

/* Delivered while this node waits in an operation, and when it leaves: the reader reads late. */
static void deliver(void) {
    for (int i = 0; me == 0 && i < 5000; i++)
        nwrite(&i, sizeof i, n - 1, 2);
    for (int i = 0; me == n - 1 && i < 5000; i++) {
        int got, node = 0, type = 2;
        nread(&got, sizeof got, &node, &type);
        CHECK_INT(i, got);
    }
    p_wait();
}

static int body(void *unused) {
    (void)unused;
    int node, dimension;
    me = p_iproc();
    n = p_nproc();
    nwhoami(&node, &dimension);
    CHECK_INT(me, node);
    CHECK_INT(n & (n - 1) ? -1 : __builtin_ctz((unsigned)n), dimension);
    uint64_t before = ntime();
    ring();
    all_to_all();
    order();
    look();
    pool();
    deliver();
    CHECK(ntime() > before);
    p_wait();
    /* the last ones are read after their writer has left */
    write_to((me + 1) % n, 3, 500, 1);
    for (int i = 0; i < 200; i++)
        nwrite(&i, sizeof i, (me + 1) % n, 4);
    read_from((me + n - 1) % n, 3, 500, 1);
    for (int i = 0; i < 200; i++)
        nread(&node, sizeof node, NULL, NULL);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}

/* Everything of a program that lies in the large parts of a job's memory: messages of all lengths and both
 * protocols, memory from nalloc, arrays, and a window of a file; by 2 PEs. Under a limit of addresses of 1 GB
 * (with the word "addresses") it asks for more than there is, too, and goes on without. */

#include <exchange.h>
#include <papers/file.h>
#include <stdlib.h>
#include <string.h>
#include <vertex.h>

#include "harness.h"

enum { MOST = 2 << 20, TYPE = 7, ROUNDS = 2 };

static char byte_of(int pe, size_t bytes, size_t i) {
    return (char)(pe + 3 * (int)i + (int)(bytes >> 4));
}

static void fill(char *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        data[i] = byte_of(p_iproc(), bytes, i);
}

static void check(const char *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        CHECK(data[i] == byte_of(!p_iproc(), bytes, i));
}

/* Both PEs write first: so everything goes in pieces, or stays at its writer until it is read. */
static void standard(char *out, char *in) {
    for (size_t bytes = 8; bytes <= MOST; bytes = 3 * bytes + 8) {
        int node = !p_iproc(), type = TYPE;
        fill(out, bytes);
        nwrite(out, bytes, node, TYPE);
        memset(out, 0, bytes);
        CHECK(nread(in, MOST, &node, &type) == (ssize_t)bytes);
        check(in, bytes);
    }
}

/* Straight into what nalloc has given. */
static void extended(char *out, char *in) {
    int requested = 0, sent = 0, node = !p_iproc();
    nextend(node);
    for (size_t bytes = 8; bytes <= MOST; bytes = 3 * bytes + 8) {
        nrcvreq(in, bytes, node, &requested);
        p_wait();
        fill(out, bytes);
        nsend(out, bytes, node, &sent);
        nwait(&requested);
        nwait(&sent);
        check(in, bytes);
        p_wait();
    }
    nstandard(node);
}

static void arrays(void) {
    enum { WORDS = 1 << 17 };
    uint64_t *from = p_alloc(sizeof *from * 2 * WORDS), *to = p_alloc(sizeof *to * 2 * WORDS);
    uint64_t *own = malloc(sizeof *own * 2 * WORDS);
    CHECK(from && to && own);
    uint64_t *mine = from + (size_t)p_iproc() * WORDS;
    for (uint64_t i = 0; i < WORDS; i++)
        mine[i] = i * (uint64_t)(p_iproc() + 1);
    p_allToAll(own, mine, sizeof *own * WORDS / 2);
    for (uint64_t i = 0; i < WORDS / 2; i++) {
        uint64_t k = i + (uint64_t)p_iproc() * WORDS / 2;
        CHECK(own[i] == k && own[i + WORDS / 2] == 2 * k);
    }
    CHECK(p_sort(mine, WORDS, sizeof *mine, "u64", 0) == 0);
    for (uint64_t i = 1; i < WORDS; i++)
        CHECK(mine[i - 1] <= mine[i]);
    free(own);
    p_free(to);
    p_free(from);
}

/* One PE alone has the array from which both read. */
static void foreign(void) {
    enum { BYTES = 1 << 19 };
    char *to = malloc((size_t)2 * BYTES), *from = NULL;
    p_enqueue(p_iproc() ? 2 : 1);
    if (p_iproc() == 0)
        from = p_alloc((size_t)2 * BYTES);
    else
        from = malloc((size_t)2 * BYTES);
    CHECK(to && from);
    fill(from, (size_t)2 * BYTES);
    p_enqueue(3);
    p_allToAll(to, from, BYTES);
    for (size_t i = 0; i < BYTES; i++)
        for (int k = 0; k < 2; k++)
            CHECK(to[i + (size_t)k * BYTES] == byte_of(k, (size_t)2 * BYTES, i + (size_t)p_iproc() * BYTES));
    p_enqueue(p_iproc() ? 2 : 1);
    if (p_iproc() == 0)
        p_free(from);
    else
        free(from);
    p_enqueue(3);
    free(to);
}

/* A large message straight to what nalloc has given: when that is free, neither end needs its addresses. */
static void extended_once(size_t bytes) {
    int requested = 0, sent = 0, node = !p_iproc();
    char *out = malloc(bytes), *there = nalloc(bytes);
    CHECK(out && there);
    memset(out, p_iproc() + 1, bytes);
    nextend(node);
    nrcvreq(there, bytes, node, &requested);
    p_wait();
    nsend(out, bytes, node, &sent);
    nwait(&requested);
    nwait(&sent);
    CHECK(there[0] == node + 1 && there[bytes - 1] == node + 1);
    nstandard(node);
    nfree(there);
    free(out);
}

/* Ask for more than there are addresses for; then for as much as there are addresses for, of another size
 * each time, with buffers of messages in between; and for memory of the program's own as well. */
static void short_of_addresses(char *out, char *in) {
    for (size_t megabytes = 100; megabytes <= 500; megabytes += 200) {
        CHECK(!nalloc((size_t)2 << 30) && !p_alloc((size_t)1 << 30));
        char *data = nalloc(megabytes << 20);
        CHECK(data);
        data[(megabytes << 20) - 1] = 1;
        standard(out, in);
        nfree(data);
        data = p_alloc(megabytes << 20);
        CHECK(data);
        p_free(data);
    }
    for (int i = 0; i < 3; i++) {
        extended_once((size_t)120 << 20);
        char *own = malloc((size_t)800 << 20), *data;
        CHECK(own);
        own[0] = 1;
        standard(out, in);
        free(own);
        CHECK((data = nalloc((size_t)500 << 20)));
        nfree(data);
    }
}

static int body(void *unused) {
    (void)unused;
    CHECK_INT(2, p_nproc());
    char *out = malloc(MOST), *in = malloc(MOST), *there = nalloc(MOST);
    CHECK(out && in && there);
    for (int i = 0; i < ROUNDS; i++) {
        standard(out, in);
        extended(out, there);
        arrays();
        foreign();
    }
    if (test.word && strcmp(test.word, "addresses") == 0)
        short_of_addresses(out, in);
    nfree(there);
    free(out);
    free(in);
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}

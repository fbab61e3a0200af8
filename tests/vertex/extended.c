/* nsend, nrcvreq, nbcast: every length, in memory of all kinds, many open at once; switching; both protocols
 * beside each other. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vertex.h>

#include "content.h"
#include "harness.h"

static _Thread_local int me, n;

/* Allocate memory for messages: shared by nalloc, or the process's own. */
static unsigned char *get(bool shared, size_t bytes) {
    unsigned char *data = shared ? nalloc(bytes + 1) : malloc(bytes + 1);
    CHECK(data != NULL);
    data[bytes] = 0xaa;
    return data;
}

static void put_back(bool shared, unsigned char *data, size_t bytes) {
    CHECK_INT(0xaa, data[bytes]);
    if (shared)
        nfree(data);
    else
        free(data);
}

static const size_t lengths[] = {0,    1,    8,    48,    49,    104,   105,    216,     217,
                                 1000, 4096, 5000, 65535, 65536, 65537, 200000, 1 << 20, 3000001};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Every node sends to the next, and receives from the one before, all lengths. */
static void ring(bool from_shared, bool to_shared) {
    int next = (me + 1) % n, before = (me + n - 1) % n;
    for (int i = 0; i < LENGTHS; i++) {
        size_t bytes = lengths[i];
        unsigned char *out = get(from_shared, bytes), *in = get(to_shared, bytes);
        int sent = 7, received = 7;
        content_fill(out, bytes, me, i);
        nrcvreq(in, bytes, before, &received);
        CHECK_INT(0, received);
        p_wait();
        nsend(out, bytes, next, &sent);
        nwait(&sent);
        CHECK_INT(1, sent);
        memset(out, 0, bytes); /* it may be changed */
        nwait(&received);
        CHECK_INT(1, received);
        content_check(in, bytes, before, i, me);
        put_back(from_shared, out, bytes);
        put_back(to_shared, in, bytes);
    }
}

/* Open as many messages as possible, of different lengths; flags become 1 while this node only polls. */
static void many(void) {
    enum { SIZE = 3000 };
    int next = (me + 1) % n, before = (me + n - 1) % n, sent[NPENDING], received[NPENDING], open = NPENDING;
    unsigned char *in = nalloc(SIZE * NPENDING), *out = malloc(SIZE * NPENDING);
    for (int i = 0; i < NPENDING; i++) {
        content_fill(out + i * SIZE, (size_t)i * 199, me, i);
        nrcvreq(in + i * SIZE, (size_t)i * 199, before, &received[i]);
    }
    p_wait();
    for (int i = 0; i < NPENDING; i++)
        nsend(out + i * SIZE, (size_t)i * 199, next, &sent[i]);
    while (open) {
        open = 0;
        npoll();
        for (int i = 0; i < NPENDING; i++)
            open += !sent[i] + !received[i];
    }
    for (int i = 0; i < NPENDING; i++)
        content_check(in + i * SIZE, (size_t)i * 199, before, i, me);
    nfree(in);
    free(out);
    p_wait();
}

/* Requests are posted before an answer is sent, so nobody needs a barrier. */
static void ping_pong(void) {
    int other = me ^ 1, flag, sent;
    long value;
    if (other >= n)
        return;
    if (me & 1)
        nrcvreq(&value, sizeof value, other, &flag);
    p_enqueue((uint64_t)3 << (me & ~1));
    p_wait();
    for (long i = 0; i < 2000; i++) {
        if (!(me & 1)) {
            nrcvreq(&value, sizeof value, other, &flag);
            nsend(&i, sizeof i, other, &sent);
            nwait(&flag);
            CHECK_INT(i * 3, value);
            continue;
        }
        nwait(&flag);
        CHECK_INT(i, value);
        long answer = 3 * i;
        if (i + 1 < 2000)
            nrcvreq(&value, sizeof value, other, &flag);
        nsend(&answer, sizeof answer, other, &sent);
    }
    p_wait();
}

/* Send from node 0 to all its neighbours at once. */
static void broadcast(bool shared) {
    int dimension, flag;
    nwhoami(NULL, &dimension);
    if (dimension < 1)
        return;
    for (int i = 0; i < LENGTHS; i++) {
        size_t bytes = lengths[i];
        unsigned char *data = get(shared, bytes);
        bool neighbour = (me & (me - 1)) == 0;
        if (me && neighbour)
            nrcvreq(data, bytes, 0, &flag);
        p_wait();
        if (me == 0) {
            content_fill(data, bytes, 0, i);
            nbcast(data, bytes, (1U << dimension) - 1, &flag);
        }
        if (neighbour)
            nwait(&flag);
        if (neighbour)
            content_check(data, bytes, 0, i, me);
        p_wait();
        put_back(shared, data, bytes);
    }
}

/* Switch the channels to the neighbours in the ring; those to other nodes stay as they are. */
static void switch_ring(void (*how)(int)) {
    int next = (me + 1) % n, before = (me + n - 1) % n;
    how(next);
    if (next != before)
        how(before);
    p_wait();
}

static void standard_beside(void) {
    int far = (me + 2) % n, from = (me + n - 2) % n, type = 1;
    if (n < 4)
        return;
    for (int i = 0; i < 300; i++)
        nwrite(&i, sizeof i, far, 1);
    for (int i = 0, got; i < 300; i++) {
        nread(&got, sizeof got, &from, &type);
        CHECK_INT(i, got);
    }
}

/* Parts from nalloc do not overlap, are available again when they are freed, and have an end. */
static void heap(void) {
    enum { COUNT = 200 };
    unsigned char *part[COUNT];
    CHECK(nalloc((size_t)1 << 50) == NULL);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < COUNT; i++) {
            CHECK((part[i] = nalloc((size_t)i * 50)) != NULL);
            CHECK_INT(0, (uintptr_t)part[i] % 64);
            content_fill(part[i], (size_t)i * 50, me, i);
        }
        for (int i = 0; i < COUNT; i++)
            content_check(part[i], (size_t)i * 50, me, i, me);
        for (int i = 0; i < COUNT; i++)
            nfree(part[i * 77 % COUNT]);
    }
    nfree(NULL);
}

static int body(void *unused) {
    (void)unused;
    me = p_iproc();
    n = p_nproc();
    heap();
    for (int round = 0; n > 1 && round < 2; round++) {
        switch_ring(nextend);
        for (int memory = 0; memory < 4; memory++)
            ring(memory & 1, memory & 2);
        npool(1000); /* private data go through the pool */
        ring(false, false);
        npool(64 << 20);
        many();
        standard_beside();
        switch_ring(nstandard);
        int next = (me + 1) % n, got;
        nwrite(&me, sizeof me, next, 1);
        nread(&got, sizeof got, NULL, NULL);
        CHECK_INT((me + n - 1) % n, got);
        p_wait();
    }
    for (int k = 0; k < n; k++)
        if (k != me)
            nextend(k);
    p_wait();
    broadcast(false);
    broadcast(true);
    ping_pong();
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}

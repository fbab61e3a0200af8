/* Large messages that the kernel copies from one process to another: it permits that, refuses from the
 * beginning or later, or copies a part at a time. The word on the command line chooses the case. */

#define _GNU_SOURCE
#include <exchange.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <vertex.h>

#include "content.h"
#include "harness.h"
#include "reaching.h"

enum { NOBODY = 65534, FEW = 3 };

/* ---- traffic ----------------------------------------------------------------------------------------- */

/* Overwrite data that have been sent, which is allowed at once. */
static void spoil(unsigned char *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 500)
        data[i]++;
}

static const size_t lengths[] = {100, 5000, 16383, 16384, 16385, 65536, 300001, 524288, 1 << 20, 9000001};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Send from every PE to the next, all lengths, between ordinary memory. */
static void ring(void) {
    int next = (me + 1) % n, before = (me + n - 1) % n;
    for (int i = 0; i < LENGTHS; i++) {
        size_t bytes = lengths[i];
        unsigned char *out = malloc(bytes), *in = malloc(bytes + 1);
        int sent, received;
        CHECK(out && in);
        in[bytes] = 0xaa;
        content_fill(out, bytes, me, i);
        nrcvreq(in, bytes, before, &received);
        p_wait();
        nsend(out, bytes, next, &sent);
        nwait(&sent);
        spoil(out, bytes);
        nwait(&received);
        check(in, bytes, before, i);
        free(out);
        free(in);
    }
    p_wait();
}

/* Send by the other protocol from node to node; the last node has read before the first one writes again. The
 * reader waits for each message, a while if the first one is late. */
static void relay(bool late) {
    int next = (me + 1) % n, before = (me + n - 1) % n;
    for (int i = 0; i < LENGTHS; i++) {
        size_t bytes = lengths[i];
        unsigned char *data = malloc(bytes + 1);
        CHECK(data);
        data[bytes] = 0xaa;
        content_fill(data, me == 0 ? bytes : 0, 0, i);
        p_wait();
        if (me == 0 && late)
            usleep(2000); /* the reader waits */
        if (me == 0) {
            nwrite(data, bytes, next, i);
            spoil(data, bytes);
        }
        int type = i;
        CHECK_INT((long long)bytes, nread(data, bytes, &before, &type));
        check(data, bytes, 0, i);
        if (me != 0) {
            nwrite(data, bytes, next, i);
            spoil(data, bytes);
        }
        free(data);
    }
    p_wait();
}

/* The reader comes while a later message than the one that it reads is being written. */
static void burst(void) {
    enum { ROUNDS = 20, MESSAGES = 10, BYTES = 600001 };
    static unsigned char data[BYTES + 1];
    int from = 0, type = 1;
    data[BYTES] = 0xaa;
    for (int round = 0; round < ROUNDS && me < 2; round++) {
        p_enqueue(3);
        p_wait();
        if (me == 1)
            usleep((useconds_t)round * 100);
        for (int i = 0; i < MESSAGES; i++)
            if (me == 0) {
                content_fill(data, BYTES, 0, i);
                nwrite(data, BYTES, 1, 1);
            } else {
                CHECK_INT(BYTES, nread(data, BYTES, &from, &type));
                check(data, BYTES, 0, i);
            }
    }
    p_enqueue(((uint64_t)1 << n) - 1);
    p_wait();
}

/* Every PE writes before any reads. */
static void exchange(void) {
    int next = (me + 1) % n, before = (me + n - 1) % n;
    for (int i = 0, type = 3; i < LENGTHS; i++) {
        size_t bytes = lengths[i];
        unsigned char *out = malloc(bytes), *in = malloc(bytes + 1);
        CHECK(out && in);
        in[bytes] = 0xaa;
        content_fill(out, bytes, me, i);
        nwrite(out, bytes, next, 3);
        spoil(out, bytes);
        CHECK_INT((long long)bytes, nread(in, bytes, &before, &type));
        check(in, bytes, before, i);
        free(out);
        free(in);
    }
    p_wait();
}

static void all_of_standard(void) {
    relay(true);
    exchange();
    burst();
}

static void all_of_extended(void) {
    switch_to(nextend);
    ring();
    switch_to(nstandard);
}

/* ---- the cases --------------------------------------------------------------------------------------- */

static int allowed(void) {
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    all_of_extended();
    CHECK(kernel.tries >= 1 && kernel.writes >= FEW);
    long reads = kernel.reads, writes = kernel.writes;
    all_of_standard();
    /* Some reader has copied parts of a message, and some writer. If other programs keep the processors busy,
     * readers may come too late for that. */
    bool shared = false;
    for (double end = test_now() + PATIENCE; !shared && p_all(test_now() < end);) {
        shared = p_any(kernel.reads > reads) && p_any(kernel.writes > writes);
        relay(false);
    }
    CHECK(shared);
    return TEST_PASSED;
}

static int parts(void) {
    enum { ROUNDS = 3 };
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    kernel.parts = true;
    /* chance decides which PE copies the last part, and which one then waits */
    for (int i = 0; i < ROUNDS; i++) {
        all_of_extended();
        all_of_standard();
    }
    CHECK(kernel.writes > ROUNDS * LENGTHS); /* several for a message */
    return TEST_PASSED;
}

static int refused(void) {
    kernel.refuses = true;
    all_of_extended();
    all_of_extended();
    CHECK_INT(1, kernel.tries); /* one pair, tried once */
    all_of_standard();
    CHECK(kernel.tries <= n); /* a try for each pair */
    CHECK_INT(0, kernel.reads + kernel.writes);
    return TEST_PASSED;
}

static int refused_later(void) {
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    kernel.writes_left = FEW;
    all_of_extended();
    CHECK_INT(FEW + 1, kernel.writes);
    all_of_extended();
    CHECK_INT(FEW + 1, kernel.writes); /* refused once, and not tried again */
    all_of_standard();
    return TEST_PASSED;
}

/* Repeat until some PE has been refused. If other programs keep the processors busy, readers may come too
 * late for that. */
static void until_refused(const long *left) {
    bool refused = p_any(*left == 0);
    for (double end = test_now() + PATIENCE; !refused && p_all(test_now() < end);) {
        relay(false);
        refused = p_any(*left == 0);
    }
    CHECK(refused);
}

/* The reader, or the writer, has begun parts that it may not copy. */
static int refused_reader(void) {
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    kernel.reads_left = 3;
    all_of_standard();
    until_refused(&kernel.reads_left);
    return TEST_PASSED;
}
static int refused_writer(void) {
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    kernel.writes_left = 2;
    all_of_standard();
    until_refused(&kernel.writes_left);
    return TEST_PASSED;
}

/* Exchange between all PEs, from ordinary memory to ordinary memory. Returns how often this PE has copied. */
static long exchange_all(long number) {
    enum { BYTES = 100001 };
    size_t all = (size_t)n * BYTES;
    unsigned char *out = malloc(all), *in = malloc(all);
    long reads = kernel.reads;
    CHECK(out && in);
    for (int k = 0; k < n; k++)
        content_fill(out + (size_t)k * BYTES, BYTES, me, number + k);
    p_allToAll(in, out, BYTES);
    for (int k = 0; k < n; k++)
        content_check(in + (size_t)k * BYTES, BYTES, k, number + me, me);
    free(out);
    free(in);
    return kernel.reads - reads;
}

/* The first PE is refused in the middle of an exchange: then nobody copies in the next one. */
static int refused_exchange(void) {
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    CHECK_INT(n - 1, exchange_all(0));
    if (me == 0)
        kernel.reads_left = 1;
    CHECK(exchange_all(10) >= 1);
    CHECK_INT(0, exchange_all(20));
    return TEST_PASSED;
}

/* The last PE forbids it. Processes of the superuser are allowed everything, so all PEs become nobody's
 * first. */
static int undumpable(void) {
    if (geteuid() == 0 && (setgid(NOBODY) || setuid(NOBODY)))
        return TEST_SKIPPED;
    prctl(PR_SET_DUMPABLE, me != n - 1);
    p_wait();
    bool reaches = reaches_next();
    if (!p_any(reaches))
        return TEST_SKIPPED;
    CHECK(me != n - 2 || !reaches);
    all_of_extended();
    if (me == n - 2)
        CHECK_INT(0, kernel.writes);
    else if (reaches)
        CHECK(kernel.writes >= FEW);
    all_of_standard();
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    static const struct reaching cases[] = {{"allowed", allowed},
                                            {"parts", parts},
                                            {"refused", refused},
                                            {"refused-later", refused_later},
                                            {"refused-reader", refused_reader},
                                            {"refused-writer", refused_writer},
                                            {"refused-exchange", refused_exchange},
                                            {"undumpable", undumpable},
                                            {0}};
    return reaching_main(argc, argv, cases);
}

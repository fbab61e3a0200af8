/* Large messages that the kernel copies from one process to another: it permits that, refuses from the
 * beginning or later, or copies a part at a time. The word on the command line chooses the case; the calls of
 * the library come here first. */

#define _GNU_SOURCE
#include <errno.h>
#include <exchange.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vertex.h>

#include "content.h"
#include "harness.h"

enum { NOBODY = 65534, FEW = 3, PATIENCE = 30 };

static int me, n;
static struct {
    bool refuses, parts;
    /* Calls from now on that go well, of which the last copies only half; then all are refused. Negative: all
     * go well. With `kills` the other PE dies in the last one, with `dies` this one. */
    long reads_left, writes_left;
    bool kills, dies;
    long tries, reads, writes; /* tries: reads of a word, to find out whether a PE is reached */
} kernel = {.reads_left = -1, .writes_left = -1};

typedef long words[6];

static ssize_t call(long number, const words w) {
    return syscall(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}

/* Return a third of it, in a random number of bytes. */
static size_t part_of(size_t bytes) {
    return bytes < 100 ? bytes : bytes / 3 + (size_t)random() % 9;
}

static ssize_t copy(long number, pid_t pid, const struct iovec *here, const struct iovec *there, long *left) {
    size_t bytes = here->iov_len;
    if (kernel.refuses || (*left == 0 && !kernel.kills)) {
        errno = EPERM;
        return -1;
    }
    bool last = *left > 0 && --*left == 0;
    if (last && kernel.dies)
        raise(SIGKILL);
    if (last)
        bytes /= 2;
    else if (kernel.parts) {
        bytes = part_of(bytes);
        usleep(20);
    }
    struct iovec own = {here->iov_base, bytes}, other = {there->iov_base, bytes};
    ssize_t done = call(number, (words){pid, (long)&own, 1, (long)&other, 1, 0});
    if (last && kernel.kills) {
        kill(pid, SIGKILL);
        while (kill(pid, 0) == 0) /* until the launcher knows it */
            usleep(1000);
    }
    return done;
}

#pragma GCC visibility push(default) /* for the library to call them */

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                         unsigned long theres, unsigned long flags) {
    (void)heres, (void)theres, (void)flags;
    *(here->iov_len == sizeof(uint64_t) ? &kernel.tries : &kernel.reads) += 1;
    return copy(SYS_process_vm_readv, pid, here, there, &kernel.reads_left);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                          unsigned long theres, unsigned long flags) {
    (void)heres, (void)theres, (void)flags;
    kernel.writes++;
    return copy(SYS_process_vm_writev, pid, here, there, &kernel.writes_left);
}

#pragma GCC visibility pop

/* ---- traffic ----------------------------------------------------------------------------------------- */

static void check(const unsigned char *data, size_t bytes, int from, long number) {
    content_check(data, bytes, from, number, me);
    CHECK_INT(0xaa, data[bytes]);
}

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

static void switch_to(void (*how)(int)) {
    how((me + 1) % n);
    if (n > 2)
        how((me + n - 1) % n);
    p_wait();
}

static void all_of_extended(void) {
    switch_to(nextend);
    ring();
    switch_to(nstandard);
}

/* ---- the cases --------------------------------------------------------------------------------------- */

/* Return true if the kernel itself lets this PE read from the next one. */
static bool reaches_next(void) {
    static long own, seen;
    own = 1000 + me;
    long pid = (long)p_putget64(getpid(), (me + 1) % n), at = (long)p_putget64((int64_t)&own, (me + 1) % n);
    struct iovec here = {&seen, sizeof seen}, there = {(void *)at, sizeof seen};
    ssize_t got = call(SYS_process_vm_readv, (words){pid, (long)&here, 1, (long)&there, 1, 0});
    p_wait();
    return got == sizeof seen && seen == 1000 + (me + 1) % n;
}

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

/* The last PE dies while a message is copied to it, of which more is left than fits into the ring and
 * pool. */
static int killed(void) {
    enum { MANY = 9 << 20 };
    int flag;
    unsigned char *data = calloc(1, MANY);
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    switch_to(nextend);
    if (me == n - 1)
        nrcvreq(data, MANY, n - 2, &flag);
    p_wait();
    if (me == n - 2) {
        kernel.kills = true;
        kernel.writes_left = 1;
        nsend(data, MANY, n - 1, &flag);
        nwait(&flag);
    }
    p_wait();
    return TEST_FAILED;
}

/* PE n - 2 writes to the last one, again and again; either dies while it copies its part. */
static int killed_sharing(bool reader) {
    enum { MANY = 9 << 20 };
    int from = n - 2, to = n - 1, type = 0;
    unsigned char *data = calloc(1, MANY);
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    kernel.dies = true;
    if (me == n - 1 && reader)
        kernel.reads_left = 2; /* the first one is to find out whether it may */
    if (me == n - 2 && !reader)
        kernel.writes_left = 1;
    p_wait();
    /* If other programs keep the processors busy, the reader may come too late to share one. */
    for (double end = test_now() + PATIENCE; test_now() < end;)
        if (me == n - 1) {
            nread(data, MANY, &from, &type);
            nwrite(NULL, 0, from, 0);
        } else if (me == n - 2) {
            nwrite(data, MANY, to, 0);
            nread(NULL, 0, &to, &type);
        } else {
            p_wait();
        }
    return TEST_FAILED;
}
static int killed_reader(void) {
    return killed_sharing(true);
}
static int killed_writer(void) {
    return killed_sharing(false);
}

/* A broadcast goes to PEs 1 and 2. The first of them leaves when it has all of it, and the other is slow. */
static int left_first(void) {
    enum { BYTES = 640000 };
    unsigned char *data = malloc(BYTES + 1);
    int flag;
    kernel.refuses = true;
    npool(1); /* one piece at a time */
    data[BYTES] = 0xaa;
    for (int k = me ? 0 : 1; me != 3 && k < (me ? 1 : 3); k++)
        nextend(k);
    if (me == 1 || me == 2)
        nrcvreq(data, BYTES, 0, &flag);
    p_wait();
    if (me == 0) {
        content_fill(data, BYTES, 0, 7);
        nbcast(data, BYTES, 3, &flag);
    }
    if (me == 2)
        test_sleep(0.5);
    if (me < 3)
        nwait(&flag);
    if (me == 1 || me == 2)
        check(data, BYTES, 0, 7);
    free(data);
    return TEST_PASSED;
}

/* PE 1 leaves while it still requests a message: data sent then are not copied into its process, which is
 * still there, and may have freed that memory. */
static int left_requested(void) {
    enum { BYTES = 640000 };
    unsigned char *data = calloc(1, BYTES);
    int other = (int)p_reduceAdd64(getpid()) - getpid(), flag, number;
    sigset_t told;
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    sigemptyset(&told);
    sigaddset(&told, SIGUSR1);
    CHECK_INT(0, sigprocmask(SIG_BLOCK, &told, NULL));
    nextend(1 - me);
    if (me == 1)
        nrcvreq(data, BYTES, 0, &flag);
    p_wait();
    if (me == 1) {
        p_exit(TEST_PASSED);
        kill(other, SIGUSR1);
        sigwait(&told, &number);
        exit(TEST_PASSED);
    }
    sigwait(&told, &number);
    long writes = kernel.writes;
    nsend(data, BYTES, 1, &flag);
    CHECK_INT(0, kernel.writes - writes);
    kill(other, SIGUSR1);
    free(data);
    return TEST_PASSED;
}

/* PE 2 leaves without a look at the messages that fill PE 0's pool. PE 0 sends to another PE, and waits for
 * it, or meets it, which first waits for messages to be sent. */
static int left_unread(bool waits) {
    enum { BYTES = 40000, ALONE = 3 };
    unsigned char *data = malloc(BYTES + 1);
    int flag;
    kernel.refuses = true;
    data[BYTES] = 0xaa;
    if (me == 0)
        npool(1);
    if (me < 2)
        nextend(1 - me);
    if (me == 1)
        nrcvreq(data, BYTES, 0, &flag);
    if (me == 0)
        nwrite(data, BYTES, 2, 0);
    p_wait();
    if (me < 2) {
        p_enqueue(ALONE);
        if (me == 0) {
            content_fill(data, BYTES, 0, 8);
            nsend(data, BYTES, 1, &flag);
        }
        if (me == 1 || waits)
            nwait(&flag);
        if (me == 1)
            check(data, BYTES, 0, 8);
        p_wait();
        CHECK_INT(1, flag);
    }
    free(data);
    return TEST_PASSED;
}
static int left_waiting(void) {
    return left_unread(true);
}
static int left_meeting(void) {
    return left_unread(false);
}

static int body(void *unused) {
    static const struct {
        const char *word;
        int (*run)(void);
    } cases[] = {{"allowed", allowed},
                 {"parts", parts},
                 {"refused", refused},
                 {"refused-later", refused_later},
                 {"refused-reader", refused_reader},
                 {"refused-writer", refused_writer},
                 {"undumpable", undumpable},
                 {"refused-exchange", refused_exchange},
                 {"left-first", left_first},
                 {"left-requested", left_requested},
                 {"left-waiting", left_waiting},
                 {"left-meeting", left_meeting},
                 {"killed", killed},
                 {"killed-reader", killed_reader},
                 {"killed-writer", killed_writer}};
    (void)unused;
    me = p_iproc();
    n = p_nproc();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (test.word && strcmp(test.word, cases[i].word) == 0)
            return cases[i].run();
    return TEST_FAILED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}

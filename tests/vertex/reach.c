/* Large messages that the kernel copies from one process to another: where it does, where it refuses from the
 * beginning or later, and where it copies a part at a time. The word on the command line says which; the
 * calls of the library come here first. */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vertex.h>

#include "harness.h"

enum { NOBODY = 65534, FEW = 3 };

static int me, n;
static struct {
    bool refuses, parts;
    long after; /* calls that write from now on and copy only half; then all are refused; negative: never */
    bool kills; /* likewise, but they find the other PE dead */
    long reads, writes;
} kernel = {.after = -1};

typedef long words[6];

static ssize_t call(long number, const words w) {
    return syscall(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}

/* A third of it, in a random number of bytes. */
static size_t part_of(size_t bytes) {
    return bytes < 100 ? bytes : bytes / 3 + (size_t)random() % 9;
}

static ssize_t copy(long number, pid_t pid, const struct iovec *here, const struct iovec *there,
                    size_t bytes) {
    struct iovec own = {here->iov_base, bytes}, other = {there->iov_base, bytes};
    return call(number, (words){pid, (long)&own, 1, (long)&other, 1, 0});
}

#pragma GCC visibility push(default) /* for the library to call them */

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                         unsigned long theres, unsigned long flags) {
    (void)heres, (void)theres, (void)flags;
    kernel.reads++;
    if (kernel.refuses) {
        errno = EPERM;
        return -1;
    }
    return copy(SYS_process_vm_readv, pid, here, there,
                kernel.parts ? part_of(here->iov_len) : here->iov_len);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                          unsigned long theres, unsigned long flags) {
    (void)heres, (void)theres, (void)flags;
    size_t bytes = here->iov_len;
    kernel.writes++;
    if (kernel.after == 0) {
        if (kernel.kills)
            return copy(SYS_process_vm_writev, pid, here, there, bytes);
        errno = EPERM;
        return -1;
    }
    if (kernel.after > 0 && --kernel.after == 0) {
        ssize_t done = copy(SYS_process_vm_writev, pid, here, there, bytes / 2);
        if (kernel.kills) {
            kill(pid, SIGKILL);
            while (kill(pid, 0) == 0) /* until the launcher knows it */
                usleep(1000);
        }
        return done;
    }
    return copy(SYS_process_vm_writev, pid, here, there, kernel.parts ? part_of(bytes) : bytes);
}

#pragma GCC visibility pop

/* ---- traffic ---------------------------------------------------------------------------------------------
 */

static unsigned char datum(int from, long number, size_t i) {
    return (unsigned char)(i * 3 + (i >> 8) * 17 + (i >> 16) * 41 + (size_t)from * 23 + (size_t)number * 7);
}

static void fill(unsigned char *data, size_t bytes, int from, long number) {
    for (size_t i = 0; i < bytes; i++)
        data[i] = datum(from, number, i);
}

static void check(const unsigned char *data, size_t bytes, int from, long number) {
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != datum(from, number, i))
            test_fail("byte %zu of %zu of message %ld from node %d to node %d is wrong", i, bytes, number,
                      from, me);
    CHECK_INT(0xaa, data[bytes]);
}

static const size_t lengths[] = {100, 5000, 16383, 16384, 16385, 65536, 300001, 1 << 20, 9000001};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Everyone to the next, all lengths, between ordinary memory. */
static void ring(void) {
    int next = (me + 1) % n, before = (me + n - 1) % n;
    for (int i = 0; i < LENGTHS; i++) {
        size_t bytes = lengths[i];
        unsigned char *out = malloc(bytes), *in = malloc(bytes + 1);
        int sent, received;
        CHECK(out && in);
        in[bytes] = 0xaa;
        fill(out, bytes, me, i);
        nrcvreq(in, bytes, before, &received);
        p_wait();
        nsend(out, bytes, next, &sent);
        nwait(&sent);
        memset(out, 0, bytes); /* it may be changed */
        nwait(&received);
        check(in, bytes, before, i);
        free(out);
        free(in);
    }
    p_wait();
}

/* ---- the cases -------------------------------------------------------------------------------------------
 */

/* Whether the kernel itself lets this PE read from the next one. */
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
    ring();
    CHECK_INT(1, kernel.reads); /* one pair, tried once */
    CHECK(kernel.writes >= FEW);
    return TEST_PASSED;
}

static int parts(void) {
    kernel.parts = true;
    ring();
    return TEST_PASSED;
}

static int refused(void) {
    kernel.refuses = true;
    ring();
    ring();
    CHECK_INT(1, kernel.reads);
    CHECK_INT(0, kernel.writes);
    return TEST_PASSED;
}

static int refused_later(void) {
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    kernel.after = FEW;
    ring();
    CHECK_INT(FEW + 1, kernel.writes);
    ring();
    CHECK_INT(FEW + 1, kernel.writes); /* refused once, and not tried again */
    return TEST_PASSED;
}

/* The last PE forbids it. Processes of the superuser are allowed everything, so all are nobody's first. */
static int undumpable(void) {
    if (geteuid() == 0 && (setgid(NOBODY) || setuid(NOBODY)))
        return TEST_SKIPPED;
    prctl(PR_SET_DUMPABLE, me != n - 1);
    p_wait();
    bool reaches = reaches_next();
    CHECK(me != n - 2 || !reaches);
    ring();
    if (me == n - 2)
        CHECK_INT(0, kernel.writes);
    else if (reaches)
        CHECK(kernel.writes >= FEW);
    return TEST_PASSED;
}

/* The last PE dies while a message is copied to it, of which more is left than has room on the way. */
static int killed(void) {
    enum { MANY = 9 << 20 };
    int flag;
    unsigned char *data = calloc(1, MANY);
    if (!p_all(reaches_next()))
        return TEST_SKIPPED;
    if (me == n - 1)
        nrcvreq(data, MANY, n - 2, &flag);
    p_wait();
    if (me == n - 2) {
        kernel.kills = true;
        kernel.after = 1;
        nsend(data, MANY, n - 1, &flag);
        nwait(&flag);
    }
    p_wait();
    return TEST_FAILED;
}

static int body(void *unused) {
    static const struct {
        const char *word;
        int (*run)(void);
    } cases[] = {{"allowed", allowed},       {"parts", parts},
                 {"refused", refused},       {"refused-later", refused_later},
                 {"undumpable", undumpable}, {"killed", killed}};
    (void)unused;
    me = p_iproc();
    n = p_nproc();
    nextend((me + 1) % n);
    if (n > 2)
        nextend((me + n - 1) % n);
    p_wait();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (test.word && strcmp(test.word, cases[i].word) == 0)
            return cases[i].run();
    return TEST_FAILED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}

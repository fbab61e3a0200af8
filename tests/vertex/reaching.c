#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "content.h"
#include "harness.h"
#include "reaching.h"

int me, n;
struct kernel kernel = {.reads_left = -1, .writes_left = -1};

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

void check(const unsigned char *data, size_t bytes, int from, long number) {
    content_check(data, bytes, from, number, me);
    CHECK_INT(0xaa, data[bytes]);
}

void switch_to(void (*how)(int)) {
    how((me + 1) % n);
    if (n > 2)
        how((me + n - 1) % n);
    p_wait();
}

bool reaches_next(void) {
    static long own, seen;
    own = 1000 + me;
    long pid = (long)p_putget64(getpid(), (me + 1) % n), at = (long)p_putget64((int64_t)&own, (me + 1) % n);
    struct iovec here = {&seen, sizeof seen}, there = {(void *)at, sizeof seen};
    ssize_t got = call(SYS_process_vm_readv, (words){pid, (long)&here, 1, (long)&there, 1, 0});
    p_wait();
    return got == sizeof seen && seen == 1000 + (me + 1) % n;
}

static const struct reaching *all;

static int body(void *unused) {
    (void)unused;
    me = p_iproc();
    n = p_nproc();
    for (const struct reaching *one = all; one->word; one++)
        if (test.word && strcmp(test.word, one->word) == 0)
            return one->run();
    return TEST_FAILED;
}

int reaching_main(int argc, char **argv, const struct reaching *cases) {
    all = cases;
    return test_run(argc, argv, body);
}

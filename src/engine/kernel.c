#define _GNU_SOURCE
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t uno_kernel_now(void) {
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t uno_kernel_used(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint32_t uno_kernel_processor(void) {
    return (uint32_t)sched_getcpu();
}

void uno_kernel_yield(void) {
    sched_yield();
}

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u
#endif

int uno_kernel_memory(const char *name) {
    /* The memory is never executed, and a system may require that flag (vm.memfd_noexec); Linux before 6.3
     * does not know it. */
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    return fd < 0 && errno == EINVAL ? memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING) : fd;
}

int uno_kernel_memory_size(int fd, uint64_t size) {
    if (ftruncate(fd, (off_t)size))
        return -1;
    return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

/* Teams of threads and jobs of processes both use the global command: there is one way to sleep. */
void uno_kernel_start(void) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
}

void uno_kernel_fence(void) {
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
}

/* A futex is 32 bits: the half of the header that holds the signature and the low bits of the number. */
static uint32_t *futex_word(uno_atomic64 *header) {
    return (uint32_t *)(void *)header + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

int uno_kernel_running(void) {
    char text[128] = "";
    int running = INT_MAX, file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, text, sizeof text - 1) < 0 || sscanf(text, "%*s %*s %*s %d/", &running) != 1)
        running = INT_MAX;
    if (file >= 0)
        close(file);
    return running;
}

static struct timespec timespec_of(uint64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
}

void uno_kernel_sleep(uno_atomic64 *header, uint64_t seen, uint64_t ns) {
    struct timespec limit = timespec_of(ns);
    syscall(SYS_futex, futex_word(header), FUTEX_WAIT, (uint32_t)seen, &limit, NULL, 0);
}

/* Some systems have this system call in the kernel and not in the headers; its number is the same
 * everywhere. */
enum { FUTEX_WAITV = 449, FUTEX_32_BITS = 2 };

bool uno_kernel_sleep_either(uno_atomic64 *a, uint64_t a_seen, uno_atomic64 *b, uint64_t b_seen,
                             uint64_t ns) {
    struct {
        uint64_t seen, word;
        uint32_t flags, reserved;
    } both[] = {{(uint32_t)a_seen, (uintptr_t)futex_word(a), FUTEX_32_BITS, 0},
                {(uint32_t)b_seen, (uintptr_t)futex_word(b), FUTEX_32_BITS, 0}};
    struct timespec until = timespec_of(uno_kernel_now() + ns);
    return syscall(FUTEX_WAITV, both, 2, 0, &until, CLOCK_MONOTONIC) >= 0 || errno == EAGAIN ||
           errno == ETIMEDOUT || errno == EINTR;
}

void uno_kernel_wake(uno_atomic64 *header) {
    syscall(SYS_futex, futex_word(header), FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void uno_kernel_pause(uint64_t ns) {
    struct timespec limit = timespec_of(ns);
    nanosleep(&limit, NULL);
}

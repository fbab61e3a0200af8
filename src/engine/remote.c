#define _GNU_SOURCE
#include "remote.h"

#include <sys/uio.h>
#include <unistd.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

#include "kernel.h"

/* Either takes several calls if it is much, or part of it cannot be reached. */
typedef ssize_t copy(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                     unsigned long theres, unsigned long flags);

static bool copy_all(copy *by, int pid, void *here, uint64_t there, size_t bytes) {
    while (bytes) {
        struct iovec own = {here, bytes}, other = {(void *)(uintptr_t)there, bytes};
        ssize_t n = by(pid, &own, 1, &other, 1, 0);
        if (n <= 0)
            return false;
        here = (char *)here + n;
        there += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return true;
}

bool uno_remote_read(int pid, uint64_t from, void *to, size_t bytes) {
    return copy_all(process_vm_readv, pid, to, from, bytes);
}

bool uno_remote_write(int pid, uint64_t to, const void *data, size_t bytes) {
    return copy_all(process_vm_writev, pid, (void *)data, to, bytes);
}

uint64_t uno_remote_sample(void) {
    /* valgrind does not see what another process writes, and would call it uninitialised */
    return RUNNING_ON_VALGRIND ? 0 : uno_kernel_now() ^ (uint64_t)getpid() << 40;
}

bool uno_remote_has(int pid, uint64_t at, uint64_t sample) {
    uint64_t seen;
    return sample && uno_remote_read(pid, at, &seen, sizeof seen) && seen == sample;
}

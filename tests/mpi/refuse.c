/* Preloaded: the system does not let the accelerator read from other processes. (The MPI library reads in
 * this way too, and cannot always do without.) With REFUSE=late it does at first, when it is tried with a
 * word, and later not: the odd ranks get the first half of a block alone. With REFUSE=write it may read, and
 * not write. With REFUSE=slow it may, but a read takes its time; ways.c looks how often. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

__attribute__((visibility("default"))) long test_slow_reads;

static int rank(void) {
    const char *text = getenv("PMI_RANK");
    if (!text)
        text = getenv("OMPI_COMM_WORLD_RANK");
    return text ? atoi(text) : 0;
}

static int is_accelerator(const void *caller) {
    Dl_info info;
    return dladdr(caller, &info) && strstr(info.dli_fname, "libunisono-mpi");
}

__attribute__((visibility("default"))) ssize_t process_vm_readv(pid_t pid, const struct iovec *here,
                                                                unsigned long heres,
                                                                const struct iovec *there,
                                                                unsigned long theres, unsigned long flags) {
    static int blocks;
    const char *refuse = getenv("REFUSE");
    int late = refuse && !strcmp(refuse, "late"), slow = refuse && !strcmp(refuse, "slow");
    int free = slow || (refuse && !strcmp(refuse, "write"));
    int ours = is_accelerator(__builtin_return_address(0));
    if (slow && ours && here->iov_len > sizeof(uint64_t)) {
        test_slow_reads++;
        usleep(1000);
    }
    int half = late && ours && here->iov_len > sizeof(uint64_t) && rank() % 2;
    if ((ours && !late && !free) || (half && ++blocks % 2 == 0)) {
        errno = EPERM;
        return -1;
    }
    if (!half)
        return syscall(SYS_process_vm_readv, pid, here, heres, there, theres, flags);
    struct iovec to = {here->iov_base, here->iov_len / 2}, from = {there->iov_base, there->iov_len / 2};
    return syscall(SYS_process_vm_readv, pid, &to, 1, &from, 1, flags);
}

__attribute__((visibility("default"))) ssize_t process_vm_writev(pid_t pid, const struct iovec *here,
                                                                 unsigned long heres,
                                                                 const struct iovec *there,
                                                                 unsigned long theres, unsigned long flags) {
    const char *refuse = getenv("REFUSE");
    if (refuse && !strcmp(refuse, "write") && is_accelerator(__builtin_return_address(0))) {
        errno = EPERM;
        return -1;
    }
    return syscall(SYS_process_vm_writev, pid, here, heres, there, theres, flags);
}

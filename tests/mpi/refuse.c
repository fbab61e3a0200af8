/* Preloaded: the system does not let processes read from each other. */

#define _GNU_SOURCE
#include <errno.h>
#include <sys/uio.h>

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                         unsigned long theres, unsigned long flags) {
    (void)pid, (void)here, (void)heres, (void)there, (void)theres, (void)flags;
    errno = EPERM;
    return -1;
}

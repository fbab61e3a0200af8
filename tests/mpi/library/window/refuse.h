/* The kernel's copies between processes, which it may refuse. Included by one source of a program that
 * exports its functions (ENABLE_EXPORTS), so that the library calls these. */

#ifndef WINDOW_REFUSE_H
#define WINDOW_REFUSE_H

#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static bool refused; /* it refuses */
static long copies;  /* that it has made */

#pragma GCC visibility push(default) /* for the library to call it */

ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                         unsigned long theres, unsigned long flags) {
    if (refused) {
        errno = EPERM;
        return -1;
    }
    copies++;
    return syscall(SYS_process_vm_readv, pid, here, heres, there, theres, flags);
}

#pragma GCC visibility pop

#endif

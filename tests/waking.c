/* The system calls of the library that is tested come here first. */

#define _GNU_SOURCE
#include "waking.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/syscall.h>

static _Thread_local long fences;
static _Thread_local bool refuses;

#pragma GCC visibility push(default) /* for the library to call it */

long syscall(long number, ...) {
    static long (*next)(long, ...);
    long w[6];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        w[i] = va_arg(arguments, long);
    va_end(arguments);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    if (number == SYS_membarrier && w[0] == MEMBARRIER_CMD_GLOBAL_EXPEDITED)
        fences++;
#ifdef SYS_futex_waitv
    if (number == SYS_futex_waitv && refuses) {
        errno = ENOSYS;
        return -1;
    }
#endif
    return next(number, w[0], w[1], w[2], w[3], w[4], w[5]);
}

#pragma GCC visibility pop

struct waking waking_now(void) {
    struct rusage u;
    getrusage(RUSAGE_THREAD, &u);
    return (struct waking){(double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
                               (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6,
                           u.ru_nvcsw, fences};
}

struct waking waking_since(const struct waking *then) {
    struct waking now = waking_now();
    return (struct waking){now.seconds - then->seconds, now.wakes - then->wakes, now.fences - then->fences};
}

void waking_refuse_either(void) {
    refuses = true;
}

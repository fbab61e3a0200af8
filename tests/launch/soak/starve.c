/* To be preloaded: makes calls that ask the system for memory, files or processes fail.
 *
 * UNISONO_STARVE=WHO,FIRST,COUNT: in the launcher (WHO is -1) or in PE WHO, COUNT such calls fail, from the
 * FIRST on. Each process counts its own calls; a process that is forked goes on counting. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

/* Return 1 if the present call has to fail. */
static int starves(int error) {
    static int known, first, count, calls;
    if (!environ)
        return 0; /* the loader itself, which cannot do without */
    if (!known) {
        const char *text = getenv("UNISONO_STARVE"), *job = getenv("UNISONO_JOB");
        int who, me = -1;
        known = 1;
        if (job && sscanf(job, "%*[^,],%d", &me) != 1)
            me = -1;
        if (!text || sscanf(text, "%d,%d,%d", &who, &first, &count) != 3 || who != me)
            count = 0;
    }
    if (!count)
        return 0;
    int call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    if (call < first || call >= first + count)
        return 0;
    errno = error;
    return 1;
}

/* Define a function that fails by returning `bad`, and otherwise calls the real one. */
#define STARVE(type, name, parameters, arguments, error, bad, ...)                                           \
    type name parameters {                                                                                   \
        type(*next) parameters = __VA_ARGS__;                                                                \
        return starves(error) ? (bad) : next arguments;                                                      \
    }
#define NEXT(name) (__typeof__(&name))dlsym(RTLD_NEXT, #name)

STARVE(void *, malloc, (size_t size), (size), ENOMEM, NULL, __libc_malloc)
STARVE(void *, calloc, (size_t n, size_t size), (n, size), ENOMEM, NULL, __libc_calloc)
STARVE(void *, realloc, (void *p, size_t size), (p, size), ENOMEM, NULL, __libc_realloc)
STARVE(void *, aligned_alloc, (size_t a, size_t size), (a, size), ENOMEM, NULL, __libc_memalign)
STARVE(void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at), (p, n, prot, flags, fd, at),
       ENOMEM, MAP_FAILED, NEXT(mmap))
STARVE(int, memfd_create, (const char *name, unsigned flags), (name, flags), ENOMEM, -1, NEXT(memfd_create))
STARVE(int, ftruncate, (int fd, off_t size), (fd, size), ENOSPC, -1, NEXT(ftruncate))
STARVE(int, pipe2, (int end[2], int flags), (end, flags), EMFILE, -1, NEXT(pipe2))
STARVE(int, epoll_create1, (int flags), (flags), EMFILE, -1, NEXT(epoll_create1))
STARVE(int, epoll_ctl, (int ep, int op, int fd, struct epoll_event *e), (ep, op, fd, e), ENOSPC, -1,
       NEXT(epoll_ctl))
STARVE(int, signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags), EMFILE, -1, NEXT(signalfd))
STARVE(pid_t, fork, (void), (), EAGAIN, -1, NEXT(fork))

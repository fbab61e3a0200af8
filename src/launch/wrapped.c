#include "wrapped.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A structure of the kernel (6.15), which may be newer than the headers. */
struct pidfd_info {
    uint64_t mask, cgroup;
    uint32_t ids[11];
    int32_t exit_code;
};
enum { EXIT_CODE = 1 << 3 }; /* a bit of the mask */
#define GET_INFO _IOWR(0xff, 11, struct pidfd_info)

_Static_assert(sizeof(struct pidfd_info) == 64, "the kernel's PIDFD_INFO_SIZE_VER0");

int uno_wrapped_open(struct uno_wrapped *wrapped, int n) {
    wrapped->n = n;
    wrapped->pe = malloc((size_t)n * sizeof *wrapped->pe);
    if (!wrapped->pe)
        return -ENOMEM;
    for (int k = 0; k < n; k++)
        wrapped->pe[k] = (struct uno_watched){.fd = -1};
    wrapped->epoll = epoll_create1(EPOLL_CLOEXEC);
    return wrapped->epoll < 0 ? -errno : 0;
}

bool uno_wrapped_add(struct uno_wrapped *wrapped, int k, pid_t pid) {
    struct uno_watched *watched = &wrapped->pe[k];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)k};
    if (watched->fd >= 0)
        return true;
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0)
        return !(watched->lost = errno == ESRCH);
    if (epoll_ctl(wrapped->epoll, EPOLL_CTL_ADD, fd, &event)) {
        close(fd);
        return true;
    }
    watched->fd = fd;
    watched->pid = pid;
    return true;
}

/* Return how a process ended whose parent has not asked yet: the last number of its line in /proc. */
static int result_of_zombie(pid_t pid) {
    char path[32], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = 0;
    const char *name_end = strrchr(text, ')'), *last = strrchr(text, ' ');
    return name_end && strncmp(name_end, ") Z ", 4) == 0 ? atoi(last) : -1;
}

/* Return how a process ended after its parent has asked. */
static int result_of_reaped(int fd) {
    struct pidfd_info info = {.mask = EXIT_CODE};
    return ioctl(fd, GET_INFO, &info) == 0 && info.mask & EXIT_CODE ? info.exit_code : -1;
}

static int result_of(const struct uno_watched *watched) {
    int result = result_of_zombie(watched->pid);
    return result < 0 ? result_of_reaped(watched->fd) : result;
}

int uno_wrapped_next(struct uno_wrapped *wrapped, int *result) {
    struct epoll_event event;
    if (epoll_wait(wrapped->epoll, &event, 1, 0) != 1)
        return -1;
    int k = (int)event.data.u32;
    *result = result_of(&wrapped->pe[k]);
    wrapped->pe[k].lost = *result < 0;
    close(wrapped->pe[k].fd);
    wrapped->pe[k].fd = -1;
    return k;
}

pid_t uno_wrapped_process(const struct uno_wrapped *wrapped, int k) {
    return wrapped->pe[k].fd < 0 ? 0 : wrapped->pe[k].pid;
}

void uno_wrapped_kill(const struct uno_wrapped *wrapped, int k) {
    syscall(SYS_pidfd_send_signal, wrapped->pe[k].fd, SIGKILL, NULL, 0);
}

void uno_wrapped_close(struct uno_wrapped *wrapped) {
    if (!wrapped->pe)
        return;
    for (int k = 0; k < wrapped->n; k++)
        if (wrapped->pe[k].fd >= 0)
            close(wrapped->pe[k].fd);
    if (wrapped->epoll >= 0)
        close(wrapped->epoll);
    free(wrapped->pe);
}

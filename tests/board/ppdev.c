/* A stand-in for the kernel's ppdev, loaded before a program: /dev/parport0 to 3 are ports of a modelled
 * board. It answers the calls that a real printer port answers, and no others; bits lie in the status as in a
 * PC. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/ppdev.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "wires.h"

enum { MOST = 1024 };
static int port_of[MOST]; /* plus 1, by descriptor */
static int claimed[MOST];

int open(const char *path, int flags, ...) {
    int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    va_list arguments;
    int port;
    va_start(arguments, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    if (sscanf(path, "/dev/parport%d", &port) != 1)
        return next(path, flags, mode);
    if (port < 0 || port >= UNO_BOARD_PES || !wires_open()) {
        errno = ENOENT;
        return -1;
    }
    int fd = next("/dev/null", O_RDWR | O_CLOEXEC);
    if (fd >= 0 && fd < MOST)
        port_of[fd] = port + 1;
    return fd;
}

static int answer(int fd, unsigned long request, void *argument) {
    unsigned char *byte = argument;
    int port = port_of[fd] - 1;
    unsigned levels = wires_read(wires_open(), port);
    if (request == (unsigned long)PPCLAIM)
        claimed[fd] = 1;
    else if (request == (unsigned long)PPRELEASE)
        claimed[fd] = 0;
    else if (request == PPWDATA && claimed[fd])
        wires_write(wires_open(), port, *byte);
    else if (request == PPRSTATUS && claimed[fd]) /* pin 11 is inverted, and bits 0 to 2 are no pins */
        *byte = (unsigned char)((levels & UNO_LEVEL_NAND) << 3 | (levels & UNO_LEVEL_LATCH ? 0 : 0x80) | 7);
    else if (request != (unsigned long)PPEXCL &&
             !(request == PPDATADIR && claimed[fd] && *(int *)argument == 0)) {
        errno = EINVAL;
        return -1;
    }
    return 0;
}

int ioctl(int fd, unsigned long request, ...) {
    int (*next)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return fd >= 0 && fd < MOST && port_of[fd] ? answer(fd, request, argument) : next(fd, request, argument);
}

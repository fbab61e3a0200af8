/* An Ethernet switch in user space, between network namespaces: switch MICROSECONDS PERMILLE NAME... makes a
 * device eth0 in each of the namespaces /run/netns/NAME, and a frame that goes into one of them comes out of
 * another one so many microseconds later; of a thousand frames so many are lost, at random. It says "up" when
 * the devices are there, and they go with it. It takes root. */

#define _GNU_SOURCE /* setns, ppoll */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, FRAME = 1 << 16, WAITING = 1 << 13, ADDRESS = 6 };

struct frame {
    long due; /* nanoseconds */
    int from;
    ssize_t bytes;
    unsigned char *data;
};

static struct {
    int count;
    struct pollfd devices[MOST];
    unsigned char addresses[MOST][ADDRESS]; /* the last one that a frame from there had */
    struct frame waiting[WAITING];          /* a ring: all frames wait as long, so they leave as they came */
    unsigned long come, gone;
} net;

static void fail(const char *what) {
    fprintf(stderr, "switch: %s: %s\n", what, strerror(errno));
    exit(1);
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

/* Return the device eth0, which begins to be, of the namespace of that name. */
static int make_device(const char *name) {
    char path[256];
    snprintf(path, sizeof path, "/run/netns/%s", name);
    int space = open(path, O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET))
        fail(path);
    close(space);
    struct ifreq request = {.ifr_name = "eth0", .ifr_flags = IFF_TAP | IFF_NO_PI};
    int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (device < 0 || ioctl(device, TUNSETIFF, &request))
        fail("/dev/net/tun");
    return device;
}

/* Take in what has come from a device. */
static void take(int from, long delay, int permille) {
    static unsigned char data[FRAME];
    while (net.come - net.gone < WAITING) {
        ssize_t bytes = read(net.devices[from].fd, data, sizeof data);
        if (bytes < 2 * ADDRESS)
            return;
        memcpy(net.addresses[from], data + ADDRESS, ADDRESS);
        if (rand() % 1000 < permille)
            continue;
        struct frame *frame = &net.waiting[net.come++ % WAITING];
        *frame = (struct frame){now() + delay, from, bytes, malloc((size_t)bytes)};
        if (!frame->data)
            fail("a frame");
        memcpy(frame->data, data, (size_t)bytes);
    }
}

/* Send it to the device of its address, or to all others if it is for all or nobody has had that address. */
static void send_on(const struct frame *frame) {
    int to = -1;
    for (int i = 0; i < net.count && !(frame->data[0] & 1); i++)
        if (!memcmp(net.addresses[i], frame->data, ADDRESS))
            to = i;
    for (int i = 0; i < net.count; i++)
        if (i != frame->from && (to < 0 || to == i) &&
            write(net.devices[i].fd, frame->data, (size_t)frame->bytes) < 0 && errno != EIO &&
            errno != EAGAIN)
            fail("a device"); /* EIO: it is down; EAGAIN: it is full, and the frame is lost, as on a cable */
}

int main(int argc, char **argv) {
    net.count = argc - 3;
    if (net.count < 1 || net.count > MOST) {
        fprintf(stderr, "usage: switch MICROSECONDS PERMILLE NAME...\n");
        return 2;
    }
    long delay = atol(argv[1]) * 1000;
    for (int i = 0; i < net.count; i++)
        net.devices[i] = (struct pollfd){.fd = make_device(argv[3 + i]), .events = POLLIN};
    prctl(PR_SET_TIMERSLACK, 1000UL); /* it wakes a microsecond late, not fifty */
    puts("up");
    fflush(stdout);
    for (;;) {
        bool any = net.come != net.gone, full = net.come - net.gone == WAITING;
        long left = any ? net.waiting[net.gone % WAITING].due - now() : 0;
        left = left > 0 ? left : 0;
        struct timespec rest = {left / 1000000000, left % 1000000000};
        if (ppoll(net.devices, full ? 0 : (nfds_t)net.count, any ? &rest : NULL, NULL) < 0 && errno != EINTR)
            fail("poll");
        for (int i = 0; i < net.count; i++)
            take(i, delay, atoi(argv[2]));
        while (net.come != net.gone && net.waiting[net.gone % WAITING].due <= now()) {
            struct frame *frame = &net.waiting[net.gone++ % WAITING];
            send_on(frame);
            free(frame->data);
        }
    }
}

#define _GNU_SOURCE
#include "pulse.h"

#include <sys/timerfd.h>
#include <unistd.h>

/* With 4 beats in silence it is at least 4 sixths of the time, and with the next beat at most 5. */
enum { BEATS = 6, SILENT = 4 };

int uno_pulse_open(uint64_t ns) {
    uint64_t every = ns / BEATS;
    struct timespec time = {(time_t)(every / 1000000000), (long)(every % 1000000000)};
    int timer = every ? timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK) : -1;
    if (timer >= 0)
        timerfd_settime(timer, 0, &(struct itimerspec){time, time}, NULL);
    return timer;
}

bool uno_pulse_due(int timer) {
    uint64_t times;
    return timer >= 0 && read(timer, &times, sizeof times) == sizeof times;
}

bool uno_pulse_beat(struct uno_link *link) {
    uno_link_put(link, UNO_FRAME_ALIVE);
    return link->silent++ < SILENT;
}

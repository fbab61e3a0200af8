#include "clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool uno_seen_counts(void) {
    static const char *const counters[] = {"tsc\n", "arch_sys_counter\n"};
    char name[64] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    bool known = false;
    if (fd >= 0 && read(fd, name, sizeof name - 1) > 0)
        for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
            known = known || strcmp(name, counters[i]) == 0;
    if (fd >= 0)
        close(fd);
    return known;
}

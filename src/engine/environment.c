#include "environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "job.h"

int uno_environment(int *fd, int *pe) {
    const char *text = getenv(UNO_ENVIRONMENT);
    int length = 0;
    if (!text)
        return 0;
    return sscanf(text, "%d,%d%n", fd, pe, &length) == 2 && !text[length] ? 1 : -EINVAL;
}

int uno_environment_pes(void) {
    struct uno_job header;
    int fd, pe;
    if (uno_environment(&fd, &pe) != 1 || pread(fd, &header, sizeof header, 0) != sizeof header)
        return 1;
    return header.magic == UNO_MAGIC ? header.n : 1;
}

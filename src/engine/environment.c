#include "environment.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "job.h"

/* Read a number that this character follows, and step behind both. */
static bool number(const char **text, char behind, int *value) {
    char *end;
    errno = 0;
    long read = strtol(*text, &end, 10);
    if (end == *text || *end != behind || errno || read < INT_MIN || read > INT_MAX)
        return false;
    *value = (int)read;
    *text = end + 1;
    return true;
}

int uno_environment(int *fd, int *pe) {
    const char *text = getenv(UNO_ENVIRONMENT);
    if (!text)
        return 0;
    return number(&text, ',', fd) && number(&text, 0, pe) ? 1 : -EINVAL;
}

int uno_environment_pes(void) {
    struct uno_job header;
    int fd, pe;
    if (uno_environment(&fd, &pe) != 1 || pread(fd, &header, sizeof header, 0) != sizeof header)
        return 1;
    return header.magic == UNO_MAGIC ? header.n : 1;
}

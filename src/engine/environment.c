#include "environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int uno_environment(int *fd, int *pe) {
    const char *text = getenv(UNO_ENVIRONMENT);
    int length = 0;
    if (!text)
        return 0;
    return sscanf(text, "%d,%d%n", fd, pe, &length) == 2 && !text[length] ? 1 : -EINVAL;
}

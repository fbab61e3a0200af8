#include "environment.h"

#include <stdio.h>
#include <stdlib.h>

bool uno_environment(int *fd, int *pe) {
    const char *text = getenv(UNO_ENVIRONMENT);
    return text && sscanf(text, "%d,%d", fd, pe) == 2;
}

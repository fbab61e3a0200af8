#include "library/rank.h"

#include <stdarg.h>
#include <stdio.h>

_Thread_local struct uno_rank *uno_rank;

int uno_error(int class, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(uno_rank->detail, sizeof uno_rank->detail, format, arguments);
    va_end(arguments);
    return class;
}

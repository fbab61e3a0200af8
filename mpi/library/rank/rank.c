#include "library/rank/rank.h"

#include <stdarg.h>
#include <stdio.h>

_Thread_local struct uno_rank *uno_rank;
struct uno_store uno_store_outside;

int uno_error(int class, const char *format, ...) {
    va_list arguments;
    if (!uno_rank) /* there is nobody to tell */
        return class;
    va_start(arguments, format);
    vsnprintf(uno_rank->detail, sizeof uno_rank->detail, format, arguments);
    va_end(arguments);
    return class;
}

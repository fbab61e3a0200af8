#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void bench_progress(int done, int total, const char *format, ...) {
    enum { WIDTH = 30 };
    int filled = done * WIDTH / total;
    va_list arguments;
    if (!isatty(2))
        return;
    fprintf(stderr, "\r\033[K");
    if (done == total)
        return;
    fprintf(stderr, "[%.*s%*s] %3d %%  ", filled, "##############################", WIDTH - filled, "",
            done * 100 / total);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

#include "say.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

void uno_say(struct uno_output *output, const char *format, ...) {
    char text[512 + PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    int start = sprintf(text, "unisono run: ");
    int length = start + vsnprintf(text + start, sizeof text - (size_t)start - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof text - 2)
        length = sizeof text - 2;
    text[length] = '\n';
    uno_output_say(output, text, (size_t)length + 1);
}

#include "say.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void uno_say_sinks(struct uno_output *output, bool failed, int *status) {
    for (int i = 0; i < 2; i++) {
        const struct uno_sink *sink = &output->sink[i];
        if (!sink->error || (sink->error == EPIPE && failed))
            continue;
        uno_say(output, "cannot write %s: %s", sink->name, strerror(sink->error));
        if (!*status)
            *status = EXIT_FAILURE;
    }
}

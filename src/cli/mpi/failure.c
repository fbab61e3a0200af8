#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "launch/exit.h"

static _Noreturn void end(int status, const char *format, va_list arguments) {
    fprintf(stderr, "unisono mpi: ");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(status);
}

void mpi_fail(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end(status, format, arguments);
}

void mpi_reject(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end(UNO_EXIT_USAGE, format, arguments);
}

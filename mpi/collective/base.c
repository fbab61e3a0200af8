#include "collective/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/kernel.h"

/* The rank of this process and the function that ends the program; set once. */
static int own_rank;
static void (*end_all)(void);

void uno_base_start(int rank, void (*end)(void)) {
    own_rank = rank;
    end_all = end;
}

static void say(const char *format, va_list arguments) {
    char text[600];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "unisono: rank %d: %s\n", own_rank, text);
}

void uno_base_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

enum { SPEAK_NS = 200 * 1000 * 1000 };

void uno_base_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    /* MPICH's launcher drops what a rank wrote right before it aborts. */
    uno_kernel_pause(SPEAK_NS);
    if (end_all)
        end_all();
    abort(); /* should it return */
}

void *uno_base_allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory)
        uno_base_fail("out of memory");
    return memory;
}

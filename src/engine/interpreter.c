#define _GNU_SOURCE
#include "interpreter.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"

/* Values and places in CPython's structures. */
enum {
    BYTES_DATA = 32, /* the data, in a bytes object */
    LENGTH = 16,     /* the length, in a bytes object and in a string */
    STATE = 32,      /* in a string; its kind is in bits 2 to 4, and bit 6 tells that it is ASCII */
    MOST = 1 << 16,  /* longer strings and tables are not believed */
};

/* ---- strings and lines -------------------------------------------------------------------------------- */

static size_t put_utf8(uint32_t c, char *to) {
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    for (size_t i = more; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0) | c);
    return more + 1;
}

/* Read a string of Python's, as UTF-8, cut to the room that there is. */
static bool read_text(const struct uno_cpython *python, uint64_t object, char *to, size_t bytes) {
    uint64_t length = uno_cpython_word(python, object + LENGTH);
    uint32_t state = 0;
    if (!object || length > MOST || !uno_cpython_read(python, object + STATE, &state, sizeof state))
        return false;
    bool ascii = state >> 6 & 1;
    size_t kind = state >> 2 & 7, used = 0;
    if (kind != 1 && kind != 2 && kind != 4)
        return false;
    uint64_t at = object + (uint64_t)(ascii ? python->layout.text : python->layout.text_wide);
    for (uint64_t i = 0; i < length && used + 5 < bytes; i++) {
        uint32_t c = 0;
        if (!uno_cpython_read(python, at + i * kind, &c, kind))
            return false;
        used += put_utf8(c, to + used);
    }
    to[used] = 0;
    return true;
}

/* Read a signed number of a table of lines: 6 bits a byte, the lowest first; the lowest bit of all is the
 * sign. */
static int read_number(const unsigned char *table, uint64_t length, uint64_t *at) {
    unsigned value = 0, shift = 0, byte;
    do {
        byte = *at < length ? table[(*at)++] : 0;
        value |= (byte & 63) << shift;
        shift += 6;
    } while (byte & 64 && shift < 30);
    return value & 1 ? -(int)(value >> 1) : (int)(value >> 1);
}

/* Return the line of an instruction by the table of 3.11 and later (PEP 657); 0: it has none. */
static int find_line(const unsigned char *table, uint64_t length, int line, int64_t instruction) {
    int64_t end = 0;
    for (uint64_t at = 0; at < length;) {
        unsigned code = table[at] >> 3 & 15;
        end += 2 * ((table[at] & 7) + 1);
        at++;
        if (code == 13 || code == 14)
            line += read_number(table, length, &at);
        else if (code >= 10 && code <= 12)
            line += (int)code - 10;
        while (at < length && !(table[at] & 0x80))
            at++;
        if (instruction < end)
            return code == 15 ? 0 : line;
    }
    return 0;
}

/* Return the line of an instruction by the table of 3.10 (PEP 626); 0: it has none. */
static int find_line_310(const unsigned char *table, uint64_t length, int line, int64_t instruction) {
    int64_t end = 0;
    for (uint64_t at = 0; at + 1 < length; at += 2) {
        int step = (signed char)table[at + 1];
        end += table[at];
        line += step == -128 ? 0 : step;
        if (instruction < end)
            return step == -128 ? 0 : line;
    }
    return 0;
}

static int line_of(const struct uno_cpython *python, const struct uno_cpython_at *at) {
    const struct uno_cpython_layout *layout = &python->layout;
    int32_t first = 0;
    uint64_t lines = uno_cpython_word(python, at->code + (uint64_t)layout->lines),
             length = uno_cpython_word(python, lines + LENGTH);
    if (!uno_cpython_read(python, at->code + (uint64_t)layout->first_line, &first, sizeof first) || !lines ||
        length > MOST)
        return 0;
    unsigned char *table = malloc(length + 1);
    int line = 0;
    if (table && uno_cpython_read(python, lines + BYTES_DATA, table, length)) {
        if (layout->instructions)
            line = find_line(table, length, first,
                             (int64_t)(at->instruction - at->code - (uint64_t)layout->instructions));
        else
            line = find_line_310(table, length, first, 2 * (int64_t)at->instruction);
    }
    free(table);
    return line;
}

/* ---- frames ------------------------------------------------------------------------------------------- */

/* The code of a frame. */
struct frame {
    char file[PATH_MAX], name[128];
    int line;
};

/* Read the place of a frame. */
static struct uno_cpython_at place_of(const struct uno_cpython *python, uint64_t frame) {
    const struct uno_cpython_layout *layout = &python->layout;
    uint64_t at = frame + (uint64_t)layout->instruction,
             code = uno_cpython_word(python, frame + (uint64_t)layout->code);
    struct uno_cpython_at place = {.code = code & ~(uint64_t)UNO_CPYTHON_TAG};
    int32_t narrow = 0;
    if (layout->instructions)
        place.instruction = uno_cpython_word(python, at);
    else if (uno_cpython_read(python, at, &narrow, sizeof narrow))
        place.instruction = (uint64_t)narrow;
    return place;
}

static bool read_frame(const struct uno_cpython *python, const struct uno_cpython_at *at,
                       struct frame *frame) {
    const struct uno_cpython_layout *layout = &python->layout;
    if (!at->code ||
        !read_text(python, uno_cpython_word(python, at->code + (uint64_t)layout->filename), frame->file,
                   sizeof frame->file) ||
        !read_text(python, uno_cpython_word(python, at->code + (uint64_t)layout->name), frame->name,
                   sizeof frame->name))
        return false;
    frame->line = line_of(python, at);
    return true;
}

/* Return true if the function is one of this library's package. */
static bool is_own(const struct frame *frame) {
    return strstr(frame->file, "/unisono/_");
}

/* Return true if the function is one of a binding (that package, or mpi4py), or built into Python. */
static bool is_binding(const struct frame *frame) {
    return is_own(frame) || strstr(frame->file, "/mpi4py/") || strncmp(frame->file, "<frozen", 7) == 0;
}

/* Write the name of the package's function that the program has called, if that is one in C: where one in
 * Python was called there is a frame of it. */
static void read_call(const struct uno_cpython *python, pid_t process, char *text, size_t bytes) {
    static const char *const name = "unisono_call";
    uint64_t variable, call;
    *text = 0;
    if (!uno_symbols_find(process, "_core.abi3", false, &name, 1, &variable) ||
        !(call = uno_cpython_word(python, variable)))
        return;
    for (size_t i = 0; i < bytes && uno_cpython_read(python, call + i, &text[i], 1) && text[i]; i++)
        if (i + 1 == bytes)
            text[i] = 0;
}

/* Return the innermost frame of a thread; 0: the thread is in no function of Python's. */
static uint64_t first_frame(const struct uno_cpython *python, uint64_t thread) {
    uint64_t at = python->layout.frames < 0
                      ? thread
                      : uno_cpython_word(python, thread + (uint64_t)python->layout.frames);
    return at ? uno_cpython_word(python, at + (uint64_t)python->layout.frame) : 0;
}

/* Write the place in the program, of a long path its end. call: the package's function that the program has
 * called; empty: none. */
static void write_frame(const struct frame *frame, const char *call, char *text, size_t bytes) {
    enum { NUMBER = 16 }; /* bytes for what surrounds the path */
    bool outside = strcmp(frame->name, "<module>") == 0;
    int begun =
        snprintf(text, bytes, "%s%s%scalled %s%s%sat ", *call ? "unisono." : "", call, *call ? ", " : "",
                 outside ? "" : "by ", outside ? "" : frame->name, outside ? "" : " ");
    if (begun + NUMBER > (int)bytes)
        return;
    size_t whole = strlen(frame->file), most = bytes - (size_t)begun - NUMBER;
    const char *shown = whole > most ? frame->file + whole - most : frame->file;
    snprintf(text + begun, bytes - (size_t)begun, "%s%s:%d", shown == frame->file ? "" : "...", shown,
             frame->line);
}

static bool write_place(const struct uno_cpython *python, pid_t process, uint64_t thread, char *text,
                        size_t bytes) {
    enum { DEEPEST = 1000 };
    bool found = false, binding = true;
    char call[40];
    read_call(python, process, call, sizeof call);
    uint64_t at = first_frame(python, thread);
    for (int i = 0; at && binding && i < DEEPEST; i++) {
        struct frame frame;
        unsigned char owner = 0;
        bool plain = python->layout.owner < 0 ||
                     (uno_cpython_read(python, at + (uint64_t)python->layout.owner, &owner, 1) &&
                      owner < UNO_CPYTHON_C);
        struct uno_cpython_at place = place_of(python, at);
        if (plain && read_frame(python, &place, &frame)) {
            binding = is_binding(&frame);
            if (!found || !binding)
                write_frame(&frame, binding ? "" : call, text, bytes);
            if (is_own(&frame))
                snprintf(call, sizeof call, "%.39s", frame.name);
            found = true;
        }
        at = uno_cpython_word(python, at + (uint64_t)python->layout.previous);
    }
    return found;
}

bool uno_interpreter_place(pid_t process, pid_t thread, char *text, size_t bytes) {
    struct uno_cpython python;
    *text = 0;
    if (!uno_cpython_open(&python, process))
        return false;
    uint64_t state = uno_cpython_thread(&python, process, thread);
    bool found = state && write_place(&python, process, state, text, bytes);
    uno_cpython_close(&python);
    return found;
}

void uno_interpreter_places(pid_t process, const struct uno_cpython_at *at, size_t count, size_t bytes,
                            char *text) {
    struct uno_cpython python;
    struct frame frame;
    bool open = uno_cpython_open(&python, process);
    for (size_t i = 0; i < count; i++) {
        text[i * bytes] = 0;
        if (open && read_frame(&python, &at[i], &frame))
            write_frame(&frame, "", text + i * bytes, bytes);
    }
    if (open)
        uno_cpython_close(&python);
}

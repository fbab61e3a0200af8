#define _GNU_SOURCE
#include "interpreter.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols.h"

/* ---- the memory of the process ------------------------------------------------------------------------ */

static bool read_memory(int memory, uint64_t at, void *to, size_t bytes) {
    return at && pread(memory, to, bytes, (off_t)at) == (ssize_t)bytes;
}

/* Return the word at an address; 0 also if it cannot be read. */
static uint64_t word(int memory, uint64_t at) {
    uint64_t value = 0;
    return read_memory(memory, at, &value, sizeof value) ? value : 0;
}

/* ---- where the interpreter is ------------------------------------------------------------------------- */

/* Symbols of the interpreter's file. It is the program itself, or a library that has libpython in its name.
 */
enum { RUNTIME, VERSION, SINCE_310 /* a function that came with 3.10 */, SYMBOLS };
static const char *const symbol_names[SYMBOLS] = {"_PyRuntime", "Py_Version", "PyModule_AddObjectRef"};

/* ---- how its structures are laid out ------------------------------------------------------------------- */

/* Offsets in CPython's structures. They are the same in all releases of a version on 64-bit machines. */
struct layout {
    unsigned version;                   /* 0x030B: 3.11 */
    int interpreters, next_interpreter; /* in the runtime; in an interpreter */
    int threads, next_thread;           /* in an interpreter; in a thread */
    int native;                         /* in a thread: its number in the kernel; -1: it has none */
    int frame;  /* the innermost frame: in a thread, or behind the pointer `frames` of it */
    int frames; /* in a thread; -1: `frame` is in the thread itself */
    int code, previous, instruction; /* in a frame */
    int owner;                       /* in a frame; -1: every frame is of a Python function */
    int filename, name, first_line, lines, instructions; /* in a code; `lines` is the table of lines */
    int text;      /* bytes before the characters of a string of ASCII */
    int text_wide; /* bytes before those of any other string */
};

static const struct layout layouts[] = {
    {0x030A, 32, 0, 8, 8, -1, 24, -1, 32, 24, 96, -1, 104, 112, 40, 120, 0, 48, 72},
    {0x030B, 40, 0, 16, 8, 160, 8, 56, 32, 48, 56, -1, 112, 120, 72, 136, 184, 48, 72},
    {0x030C, 40, 0, 72, 8, 144, 0, 56, 0, 8, 56, 70, 112, 120, 68, 136, 192, 40, 56},
    /* the runtime itself tells the first three offsets */
    {0x030D, 0, 0, 0, 8, 160, 72, -1, 0, 8, 56, 70, 112, 120, 68, 136, 200, 40, 56},
    {0x030E, 0, 0, 0, 8, 160, 72, -1, 0, 8, 56, 74, 112, 120, 68, 136, 208, 40, 56},
};

/* Values and places in CPython's structures. */
enum {
    OWNER_C = 3,     /* a frame with this owner, or a greater one, is of the interpreter's loop */
    TAG = 3,         /* bits of a pointer in a frame that are none of the address, since 3.14 */
    BYTES_DATA = 32, /* the data, in a bytes object */
    LENGTH = 16,     /* the length, in a bytes object and in a string */
    STATE = 32,      /* in a string; its kind is in bits 2 to 4, and bit 6 tells that it is ASCII */
    MOST = 1 << 16,  /* longer strings and tables are not believed */
};

/* Read the first three offsets from the table with which the runtime begins since 3.13. */
static bool read_offsets(int memory, uint64_t runtime, struct layout *layout) {
    uint64_t table[10];
    if (!read_memory(memory, runtime, table, sizeof table) || memcmp(table, "xdebugpy", 8) != 0 || table[2])
        return false; /* table[2]: a build without the interpreter's lock has another layout */
    layout->interpreters = (int)table[5];
    layout->next_interpreter = (int)table[8];
    layout->threads = (int)table[9];
    return true;
}

static bool find_layout(int memory, const uint64_t symbol[SYMBOLS], struct layout *layout) {
    uint32_t version = symbol[SINCE_310] ? 0x030A0000 : 0;
    if (symbol[VERSION] && !read_memory(memory, symbol[VERSION], &version, sizeof version))
        return false;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].version == version >> 16) {
            *layout = layouts[i];
            return layout->interpreters || read_offsets(memory, symbol[RUNTIME], layout);
        }
    return false;
}

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
static bool read_text(int memory, const struct layout *layout, uint64_t object, char *to, size_t bytes) {
    uint64_t length = word(memory, object + LENGTH);
    uint32_t state = 0;
    if (!object || length > MOST || !read_memory(memory, object + STATE, &state, sizeof state))
        return false;
    bool ascii = state >> 6 & 1;
    size_t kind = state >> 2 & 7, used = 0;
    if (kind != 1 && kind != 2 && kind != 4)
        return false;
    uint64_t at = object + (uint64_t)(ascii ? layout->text : layout->text_wide);
    for (uint64_t i = 0; i < length && used + 5 < bytes; i++) {
        uint32_t c = 0;
        if (!read_memory(memory, at + i * kind, &c, kind))
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

static int line_of(int memory, const struct layout *layout, uint64_t frame, uint64_t code) {
    int32_t first = 0;
    uint64_t lines = word(memory, code + (uint64_t)layout->lines), length = word(memory, lines + LENGTH);
    if (!read_memory(memory, code + (uint64_t)layout->first_line, &first, sizeof first) || !lines ||
        length > MOST)
        return 0;
    unsigned char *table = malloc(length + 1);
    int line = 0;
    if (table && read_memory(memory, lines + BYTES_DATA, table, length)) {
        if (layout->instructions) {
            uint64_t now = word(memory, frame + (uint64_t)layout->instruction);
            line = find_line(table, length, first, (int64_t)(now - code - (uint64_t)layout->instructions));
        } else {
            int32_t now = 0;
            if (read_memory(memory, frame + (uint64_t)layout->instruction, &now, sizeof now))
                line = find_line_310(table, length, first, 2 * (int64_t)now);
        }
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

static bool read_frame(int memory, const struct layout *layout, uint64_t at, struct frame *frame) {
    uint64_t code = word(memory, at + (uint64_t)layout->code) & ~(uint64_t)TAG;
    if (!read_text(memory, layout, word(memory, code + (uint64_t)layout->filename), frame->file,
                   sizeof frame->file) ||
        !read_text(memory, layout, word(memory, code + (uint64_t)layout->name), frame->name,
                   sizeof frame->name))
        return false;
    frame->line = line_of(memory, layout, at, code);
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
static void read_call(int memory, pid_t process, char *text, size_t bytes) {
    static const char *const name = "unisono_call";
    uint64_t variable, call;
    *text = 0;
    if (!uno_symbols_find(process, "_core.abi3", false, &name, 1, &variable) ||
        !(call = word(memory, variable)))
        return;
    for (size_t i = 0; i < bytes && read_memory(memory, call + i, &text[i], 1) && text[i]; i++)
        if (i + 1 == bytes)
            text[i] = 0;
}

/* Return the innermost frame of a thread; 0: the thread is in no function of Python's. */
static uint64_t first_frame(int memory, const struct layout *layout, uint64_t thread) {
    uint64_t at = layout->frames < 0 ? thread : word(memory, thread + (uint64_t)layout->frames);
    return at ? word(memory, at + (uint64_t)layout->frame) : 0;
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

static bool write_place(int memory, const struct layout *layout, pid_t process, uint64_t thread, char *text,
                        size_t bytes) {
    enum { DEEPEST = 1000 };
    bool found = false, binding = true;
    char call[40];
    read_call(memory, process, call, sizeof call);
    uint64_t at = first_frame(memory, layout, thread);
    for (int i = 0; at && binding && i < DEEPEST; i++) {
        struct frame frame;
        unsigned char owner = 0;
        bool plain = layout->owner < 0 ||
                     (read_memory(memory, at + (uint64_t)layout->owner, &owner, 1) && owner < OWNER_C);
        if (plain && read_frame(memory, layout, at, &frame)) {
            binding = is_binding(&frame);
            if (!found || !binding)
                write_frame(&frame, binding ? "" : call, text, bytes);
            if (is_own(&frame))
                snprintf(call, sizeof call, "%.39s", frame.name);
            found = true;
        }
        at = word(memory, at + (uint64_t)layout->previous);
    }
    return found;
}

/* Return the interpreter's state of a thread of the process; 0: it has none. If the states have no numbers of
 * the kernel only the first thread can be found: its state is the last one in the list, since others are
 * added at the beginning. */
static uint64_t find_thread(int memory, const struct layout *layout, uint64_t runtime, pid_t process,
                            pid_t thread) {
    enum { MANY = 10000 };
    uint64_t last = 0, interpreter = word(memory, runtime + (uint64_t)layout->interpreters);
    for (int i = 0; interpreter && i < MANY; i++) {
        uint64_t state = word(memory, interpreter + (uint64_t)layout->threads);
        for (int k = 0; state && k < MANY; k++) {
            if (layout->native >= 0 && word(memory, state + (uint64_t)layout->native) == (uint64_t)thread)
                return state;
            last = state;
            state = word(memory, state + (uint64_t)layout->next_thread);
        }
        interpreter = word(memory, interpreter + (uint64_t)layout->next_interpreter);
    }
    return layout->native < 0 && thread == process ? last : 0;
}

bool uno_interpreter_place(pid_t process, pid_t thread, char *text, size_t bytes) {
    char name[64];
    struct layout layout;
    bool found = false;
    *text = 0;
    uint64_t symbol[SYMBOLS];
    if (!uno_symbols_find(process, "libpython", true, symbol_names, SYMBOLS, symbol))
        return false;
    snprintf(name, sizeof name, "/proc/%d/mem", (int)process);
    int memory = open(name, O_RDONLY | O_CLOEXEC);
    if (memory < 0)
        return false;
    if (find_layout(memory, symbol, &layout)) {
        uint64_t state = find_thread(memory, &layout, symbol[RUNTIME], process, thread);
        found = state && write_place(memory, &layout, process, state, text, bytes);
    }
    close(memory);
    return found;
}

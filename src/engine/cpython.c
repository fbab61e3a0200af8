#define _GNU_SOURCE
#include "cpython.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "symbols.h"

bool uno_cpython_read(const struct uno_cpython *python, uint64_t at, void *to, size_t bytes) {
    return at && pread(python->memory, to, bytes, (off_t)at) == (ssize_t)bytes;
}

uint64_t uno_cpython_word(const struct uno_cpython *python, uint64_t at) {
    uint64_t value = 0;
    return uno_cpython_read(python, at, &value, sizeof value) ? value : 0;
}

/* ---- where the interpreter is ------------------------------------------------------------------------- */

/* Symbols of the interpreter's file. It is the program itself, or a library that has libpython in its name.
 */
enum { RUNTIME, VERSION, SINCE_310 /* a function that came with 3.10 */, SYMBOLS };
static const char *const symbol_names[SYMBOLS] = {"_PyRuntime", "Py_Version", "PyModule_AddObjectRef"};

/* ---- how its structures are laid out ------------------------------------------------------------------- */

static const struct uno_cpython_layout layouts[] = {
    {0x030A, 32, 0, 8, 8, -1, 24, -1, 32, 24, 96, -1, 104, 112, 40, 120, 0, 48, 72},
    {0x030B, 40, 0, 16, 8, 160, 8, 56, 32, 48, 56, -1, 112, 120, 72, 136, 184, 48, 72},
    {0x030C, 40, 0, 72, 8, 144, 0, 56, 0, 8, 56, 70, 112, 120, 68, 136, 192, 40, 56},
    /* the runtime itself tells the first three offsets */
    {0x030D, 0, 0, 0, 8, 160, 72, -1, 0, 8, 56, 70, 112, 120, 68, 136, 200, 40, 56},
    {0x030E, 0, 0, 0, 8, 160, 72, -1, 0, 8, 56, 74, 112, 120, 68, 136, 208, 40, 56},
};

/* Read the first three offsets from the table with which the runtime begins since 3.13. */
static bool read_offsets(struct uno_cpython *python) {
    uint64_t table[10];
    if (!uno_cpython_read(python, python->runtime, table, sizeof table) ||
        memcmp(table, "xdebugpy", 8) != 0 || table[2])
        return false; /* table[2]: a build without the interpreter's lock has another layout */
    python->layout.interpreters = (int)table[5];
    python->layout.next_interpreter = (int)table[8];
    python->layout.threads = (int)table[9];
    return true;
}

static bool find_layout(struct uno_cpython *python, const uint64_t symbol[SYMBOLS]) {
    uint32_t version = symbol[SINCE_310] ? 0x030A0000 : 0;
    if (symbol[VERSION] && !uno_cpython_read(python, symbol[VERSION], &version, sizeof version))
        return false;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].version == version >> 16) {
            python->layout = layouts[i];
            return python->layout.interpreters || read_offsets(python);
        }
    return false;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

bool uno_cpython_open(struct uno_cpython *python, pid_t process) {
    char name[64];
    uint64_t symbol[SYMBOLS];
    if (!uno_symbols_find(process, "libpython", true, symbol_names, SYMBOLS, symbol))
        return false;
    snprintf(name, sizeof name, "/proc/%d/mem", (int)process);
    *python = (struct uno_cpython){open(name, O_RDONLY | O_CLOEXEC), symbol[RUNTIME], {0}};
    if (python->memory >= 0 && find_layout(python, symbol))
        return true;
    uno_cpython_close(python);
    return false;
}

void uno_cpython_close(struct uno_cpython *python) {
    if (python->memory >= 0)
        close(python->memory);
}

/* If the states have no numbers of
 * the kernel only the first thread can be found: its state is the last one in the list, since others are
 * added at the beginning. */
uint64_t uno_cpython_thread(const struct uno_cpython *python, pid_t process, pid_t thread) {
    enum { MANY = 10000 };
    uint64_t last = 0,
             interpreter = uno_cpython_word(python, python->runtime + (uint64_t)python->layout.interpreters);
    for (int i = 0; interpreter && i < MANY; i++) {
        uint64_t state = uno_cpython_word(python, interpreter + (uint64_t)python->layout.threads);
        for (int k = 0; state && k < MANY; k++) {
            if (python->layout.native >= 0 &&
                uno_cpython_word(python, state + (uint64_t)python->layout.native) == (uint64_t)thread)
                return state;
            last = state;
            state = uno_cpython_word(python, state + (uint64_t)python->layout.next_thread);
        }
        interpreter = uno_cpython_word(python, interpreter + (uint64_t)python->layout.next_interpreter);
    }
    return python->layout.native < 0 && thread == process ? last : 0;
}

/* ---- the calling thread ------------------------------------------------------------------------------ */

/* Return the word at an address of this process. */
static uint64_t own_word(uint64_t at, int offset) {
    uint64_t value;
    memcpy(&value, (const char *)(uintptr_t)at + offset, sizeof value);
    return value;
}

static uint64_t own_frame(const struct uno_cpython_here *here) {
    const struct uno_cpython_layout *layout = &here->layout;
    uint64_t at = layout->frames < 0 ? here->thread : own_word(here->thread, layout->frames);
    return at ? own_word(at, layout->frame) : 0;
}

static bool is_function(const struct uno_cpython_layout *layout, uint64_t frame) {
    return layout->owner < 0 || ((const unsigned char *)(uintptr_t)frame)[layout->owner] < UNO_CPYTHON_C;
}

/* The program of a process without a name that begins so embeds Python, and may end the interpreter and begin
 * another one. */
static bool is_python(void) {
    char program[PATH_MAX] = "";
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return false;
    const char *slash = strrchr(program, '/');
    return slash && strncmp(slash + 1, "python", 6) == 0;
}

bool uno_cpython_here_open(struct uno_cpython_here *here) {
    struct uno_cpython python;
    pid_t process = getpid();
    if (gettid() != process || !is_python() || !uno_cpython_open(&python, process))
        return false;
    here->thread = uno_cpython_thread(&python, process, process);
    here->layout = python.layout;
    here->interpreters = (const uint64_t *)(uintptr_t)(python.runtime + (uint64_t)python.layout.interpreters);
    uno_cpython_close(&python);
    return here->thread;
}

bool uno_cpython_here_alone(const struct uno_cpython_here *here) {
    const struct uno_cpython_layout *layout = &here->layout;
    uint64_t interpreter = *here->interpreters;
    return interpreter && !own_word(interpreter, layout->next_interpreter) &&
           own_word(interpreter, layout->threads) == here->thread &&
           !own_word(here->thread, layout->next_thread);
}

static struct uno_cpython_at place_of(const struct uno_cpython_layout *layout, uint64_t frame) {
    int32_t narrow;
    memcpy(&narrow, (const char *)(uintptr_t)frame + layout->instruction, sizeof narrow);
    return (struct uno_cpython_at){
        .code = own_word(frame, layout->code) & ~(uint64_t)UNO_CPYTHON_TAG,
        .instruction = layout->instructions ? own_word(frame, layout->instruction) : (uint64_t)narrow,
    };
}

size_t uno_cpython_here_all(const struct uno_cpython_here *here, struct uno_cpython_at *at, size_t most) {
    size_t count = 0;
    uint64_t frame = *here->interpreters ? own_frame(here) : 0;
    for (; frame && count < most; frame = own_word(frame, here->layout.previous))
        if (is_function(&here->layout, frame))
            at[count++] = place_of(&here->layout, frame);
    return count;
}

struct uno_cpython_at uno_cpython_here(const struct uno_cpython_here *here) {
    struct uno_cpython_at at = {0};
    uno_cpython_here_all(here, &at, 1);
    return at;
}

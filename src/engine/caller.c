#define _GNU_SOURCE
#include "caller.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interpreter.h"

/* A program of Python's is at a line of Python's. If a library has called for it, say PETSc, that is told
 * too, as the text has it already. */
static void add_python(pid_t process, pid_t thread, char text[UNO_CALLER_TEXT]) {
    char place[UNO_CALLER_TEXT - 8];
    size_t length = strlen(text);
    if (!uno_interpreter_place(process, thread, place, sizeof place))
        return;
    if (length + strlen(place) + sizeof "; " > UNO_CALLER_TEXT)
        length = 0;
    snprintf(text + length, UNO_CALLER_TEXT - length, "%s%s", length ? ", " : "; ", place);
}

#ifdef UNO_LIBDW
#include <dirent.h>
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "kernel.h"
#include "source_line.h"
#include "tuning.h"

/* ---- libdw ------------------------------------------------------------------------------------------- */

#define FUNCTIONS(X)                                                                                         \
    X(dwfl_begin)                                                                                            \
    X(dwfl_end)                                                                                              \
    X(dwfl_linux_proc_report)                                                                                \
    X(dwfl_report_end)                                                                                       \
    X(dwfl_linux_proc_attach)                                                                                \
    X(dwfl_getthread_frames)                                                                                 \
    X(dwfl_frame_pc)                                                                                         \
    X(dwfl_addrmodule)                                                                                       \
    X(dwfl_module_info)                                                                                      \
    X(dwfl_module_addrinfo)                                                                                  \
    X(dwfl_linux_proc_find_elf)                                                                              \
    X(dwfl_build_id_find_debuginfo)

struct dw {
    void *library;
    Dwfl *dwfl; /* of one process */
    struct uno_source_line lines;
#define X(name) __typeof__(&(name)) name;
    FUNCTIONS(X)
#undef X
};

/* Held from dw_open to dw_close: PEs that are threads of one process may fail at the same time, and libdw has
 * unprotected variables of its own. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void dw_close(struct dw *dw) {
    if (dw->dwfl)
        dw->dwfl_end(dw->dwfl);
    if (dw->library)
        dlclose(dw->library);
    pthread_mutex_unlock(&one_at_a_time);
}

/* Open libdw on a process and read which files are loaded in it. False: there is no libdw, or it fails. The
 * caller calls dw_close in either case. */
static bool dw_open(struct dw *dw, Dwfl_Callbacks *callbacks, pid_t process) {
    pthread_mutex_lock(&one_at_a_time);
    *dw = (struct dw){.library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL)};
    bool whole = uno_source_line_load(&dw->lines, dw->library);
#define X(name) whole = whole && (dw->name = (__typeof__(dw->name))dlsym(dw->library, #name)) != NULL;
    FUNCTIONS(X)
#undef X
    if (whole) {
        /* only debugging information that is installed here; nothing is fetched */
        *callbacks = (Dwfl_Callbacks){.find_elf = dw->dwfl_linux_proc_find_elf,
                                      .find_debuginfo = dw->dwfl_build_id_find_debuginfo};
        dw->dwfl = dw->dwfl_begin(callbacks);
    }
    return dw->dwfl && dw->dwfl_linux_proc_report(dw->dwfl, process) == 0 &&
           dw->dwfl_report_end(dw->dwfl, NULL, NULL) == 0;
}

/* ---- the frame ---------------------------------------------------------------------------------------- */

/* The return addresses of one thread's stack, from the innermost frame outwards. */
struct frames {
    struct dw *dw;
    int n;
    Dwarf_Addr pc[64];
};

static const char *file_of(struct dw *dw, Dwfl_Module *module) {
    const char *name = dw->dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    const char *slash = name ? strrchr(name, '/') : NULL;
    return slash ? slash + 1 : name;
}

/* The bounds of the section, from the linker. */
extern const char *const *const __start_uno_libraries[] __attribute__((visibility("hidden")));
extern const char *const *const __stop_uno_libraries[] __attribute__((visibility("hidden")));

/* The library, the package of Python, whose functions only pass calls on, and the entries that record calls
 * (src/observe). */
static const char *const own[] = {"libunisono", "_core.abi3", "record-pes.so", NULL};
UNO_LIBRARIES_REGISTER(own);

static bool is_library(const char *file) {
    for (const char *const *const *at = __start_uno_libraries; file && at < __stop_uno_libraries; at++)
        for (const char *const *name = *at; *name; name++)
            if (!strncmp(file, *name, strlen(*name)))
                return true;
    return false;
}

/* Return the first frame outside the library of those that follow a frame inside it. 0: there is none. */
static Dwarf_Addr find_caller(const struct frames *frames) {
    struct dw *dw = frames->dw;
    bool within = false;
    for (int i = 0; i < frames->n; i++) {
        Dwfl_Module *module = dw->dwfl_addrmodule(dw->dwfl, frames->pc[i]);
        bool library = module && is_library(file_of(dw, module));
        if (within && !library)
            return module ? frames->pc[i] : 0;
        within |= library;
    }
    return 0;
}

/* Return true if the name says nothing: the function is one of the interpreter, or one that Cython has made,
 * as those of mpi4py, or has no name in a module of Python's. */
static bool is_made(const char *function, const char *file) {
    return (function && strncmp(function, "__pyx_", 6) == 0) ||
           (!function && file && (strstr(file, ".cpython-") || strstr(file, ".abi3."))) ||
           (file && (strncmp(file, "python", 6) == 0 || strncmp(file, "libpython", 9) == 0));
}

/* Write the source line of pc. pc 0: the address is unknown. */
static const char *write_place(struct dw *dw, Dwarf_Addr pc, char text[UNO_CALLER_TEXT]) {
    Dwfl_Module *module = pc ? dw->dwfl_addrmodule(dw->dwfl, pc) : NULL;
    *text = 0;
    if (!module)
        return text;
    GElf_Off offset = 0;
    GElf_Sym symbol = {0};
    const char *function = dw->dwfl_module_addrinfo(module, pc, &offset, &symbol, NULL, NULL, NULL);
    if (offset >= symbol.st_size) /* the nearest one whose name was kept, and not the function itself */
        function = NULL;
    int number = 0;
    const char *source = uno_source_line(&dw->lines, module, pc, &number);
    const char *file = file_of(dw, module);
    if (is_made(function, file))
        return text;
    if (source)
        snprintf(text, UNO_CALLER_TEXT, "; called%s%s at %s:%d", function ? " by " : "",
                 function ? function : "", source, number);
    else if (file)
        snprintf(text, UNO_CALLER_TEXT, "; called by %s%s%s", function ? function : "",
                 function ? " of " : "", file);
    return text;
}

static const char *write_caller(const struct frames *frames, char text[UNO_CALLER_TEXT]) {
    return write_place(frames->dw, find_caller(frames), text);
}

/* ---- the calling thread -------------------------------------------------------------------------------- */

const char *uno_caller_here(char text[UNO_CALLER_TEXT]) {
    struct dw dw;
    Dwfl_Callbacks callbacks;
    struct frames frames = {.dw = &dw};
    void *address[sizeof frames.pc / sizeof *frames.pc];
    *text = 0;
    if (dw_open(&dw, &callbacks, getpid())) {
        frames.n = backtrace(address, sizeof address / sizeof *address);
        for (int i = 0; i < frames.n; i++)
            frames.pc[i] = (Dwarf_Addr)(uintptr_t)address[i] - 1; /* within the call */
        write_caller(&frames, text);
    }
    dw_close(&dw);
    add_python(getpid(), gettid(), text);
    return text;
}

void uno_callers_in(pid_t process, const uint64_t *address, size_t count, char (*text)[UNO_CALLER_TEXT]) {
    struct dw dw;
    Dwfl_Callbacks callbacks;
    bool open = dw_open(&dw, &callbacks, process);
    for (size_t i = 0; i < count; i++) {
        Dwarf_Addr pc = address[i] - 1; /* within the call */
        Dwfl_Module *module = open && address[i] ? dw.dwfl_addrmodule(dw.dwfl, pc) : NULL;
        write_place(&dw, module && !is_library(file_of(&dw, module)) ? pc : 0, text[i]);
    }
    dw_close(&dw);
}

/* ---- another process ------------------------------------------------------------------------------------
 */

/* Stop a thread. Its process may end meanwhile, and its parent must learn of that: so this waits for a stop
 * alone, and for a bounded time. */
static bool stop(pid_t thread) {
    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL))
        return false;
    if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL))
        return false;
    for (uint64_t start = uno_kernel_now(); uno_kernel_now() - start < UNO_STOP_NS;
         uno_kernel_pause(UNO_STOP_STEP_NS)) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)thread, &info, WSTOPPED | WNOHANG | __WALL))
            return false;
        if (info.si_pid == thread)
            return true;
    }
    return false;
}

static int add_frame(Dwfl_Frame *frame, void *argument) {
    struct frames *frames = argument;
    Dwarf_Addr pc;
    bool exact;
    if (frames->n == sizeof frames->pc / sizeof *frames->pc || !frames->dw->dwfl_frame_pc(frame, &pc, &exact))
        return DWARF_CB_ABORT;
    frames->pc[frames->n++] = exact ? pc : pc - 1;
    return DWARF_CB_OK;
}

/* Write where one thread called the library. Return false if it is not in the library. */
static bool caller_of_thread(struct dw *dw, pid_t process, pid_t thread, char text[UNO_CALLER_TEXT]) {
    struct frames frames = {.dw = dw};
    if (!stop(thread))
        return false;
    dw->dwfl_getthread_frames(dw->dwfl, thread, add_frame, &frames);
    bool within = find_caller(&frames);
    write_caller(&frames, text);
    if (within)
        add_python(process, thread, text);
    ptrace(PTRACE_DETACH, thread, NULL, NULL);
    return within;
}

const char *uno_caller_of(pid_t process, char text[UNO_CALLER_TEXT]) {
    struct dw dw;
    Dwfl_Callbacks callbacks;
    char tasks[64];
    *text = 0;
    snprintf(tasks, sizeof tasks, "/proc/%d/task", (int)process);
    if (dw_open(&dw, &callbacks, process) && dw.dwfl_linux_proc_attach(dw.dwfl, process, true) == 0) {
        DIR *threads = opendir(tasks);
        bool found = false;
        for (struct dirent *d; threads && !found && (d = readdir(threads));)
            if (atoi(d->d_name) > 0)
                found = caller_of_thread(&dw, process, atoi(d->d_name), text);
        if (threads)
            closedir(threads);
    }
    dw_close(&dw);
    if (!*text) /* without libdw, or where it may not look: most programs of Python call from their first
                   thread */
        add_python(process, process, text);
    return text;
}

#else

const char *uno_caller_here(char text[UNO_CALLER_TEXT]) {
    *text = 0;
    add_python(getpid(), gettid(), text);
    return text;
}

void uno_callers_in(pid_t process, const uint64_t *address, size_t count, char (*text)[UNO_CALLER_TEXT]) {
    (void)process, (void)address;
    for (size_t i = 0; i < count; i++)
        *text[i] = 0;
}

const char *uno_caller_of(pid_t process, char text[UNO_CALLER_TEXT]) {
    *text = 0;
    add_python(process, process, text);
    return text;
}

#endif

const char *uno_caller_at(const void *address, char text[UNO_CALLER_TEXT]) {
    uint64_t at = (uintptr_t)address;
    uno_callers_in(getpid(), &at, 1, (char(*)[UNO_CALLER_TEXT])text);
    return text;
}

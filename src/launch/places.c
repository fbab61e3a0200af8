#define _GNU_SOURCE
#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Write what is known without debugging information. */
static void write_file(const char *file, const char *function, char *text, size_t bytes) {
    const char *slash = strrchr(file, '/');
    snprintf(text, bytes, "%s%s%s", function ? function : "", function ? " of " : "",
             slash ? slash + 1 : file);
}

#ifdef UNO_LIBDW
#include <dlfcn.h>
#include <elfutils/libdwfl.h>

#include "engine/source_line.h"

#define FUNCTIONS(X)                                                                                         \
    X(dwfl_begin)                                                                                            \
    X(dwfl_end)                                                                                              \
    X(dwfl_report_begin_add)                                                                                 \
    X(dwfl_report_offline)                                                                                   \
    X(dwfl_report_end)                                                                                       \
    X(dwfl_module_getelf)                                                                                    \
    X(dwfl_module_addrinfo)                                                                                  \
    X(dwfl_offline_section_address)                                                                          \
    X(dwfl_build_id_find_debuginfo)

enum { FILES = 256 };

struct uno_places {
    void *library;
    Dwfl *dwfl;
    struct uno_source_line lines;
    Dwfl_Callbacks callbacks;
    int files;
    struct {
        char *path;
        Dwfl_Module *module;
    } file[FILES];
#define X(name) __typeof__(&(name)) name;
    FUNCTIONS(X)
#undef X
};

struct uno_places *uno_places_open(void) {
    struct uno_places *places = calloc(1, sizeof *places);
    bool whole = places && (places->library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL)) &&
                 uno_source_line_load(&places->lines, places->library);
#define X(name)                                                                                              \
    whole = whole && (places->name = (__typeof__(places->name))dlsym(places->library, #name)) != NULL;
    FUNCTIONS(X)
#undef X
    if (whole) {
        /* only debugging information that is installed here; nothing is fetched */
        places->callbacks = (Dwfl_Callbacks){.section_address = places->dwfl_offline_section_address,
                                             .find_debuginfo = places->dwfl_build_id_find_debuginfo};
        places->dwfl = places->dwfl_begin(&places->callbacks);
    }
    if (places && !places->dwfl) {
        uno_places_close(places);
        places = NULL;
    }
    return places;
}

void uno_places_close(struct uno_places *places) {
    if (!places)
        return;
    if (places->dwfl)
        places->dwfl_end(places->dwfl);
    for (int i = 0; i < places->files; i++)
        free(places->file[i].path);
    if (places->library)
        dlclose(places->library);
    free(places);
}

/* Return the module of a file, which is opened once; NULL: it cannot be read. */
static Dwfl_Module *module_of(struct uno_places *places, const char *path) {
    for (int i = 0; i < places->files; i++)
        if (strcmp(places->file[i].path, path) == 0)
            return places->file[i].module;
    char *kept = places->files < FILES ? strdup(path) : NULL;
    if (!kept)
        return NULL;
    places->dwfl_report_begin_add(places->dwfl);
    Dwfl_Module *module = places->dwfl_report_offline(places->dwfl, path, path, -1);
    places->dwfl_report_end(places->dwfl, NULL, NULL);
    places->file[places->files].path = kept;
    places->file[places->files++].module = module;
    return module;
}

void uno_places_find(struct uno_places *places, const char *file, uint64_t address, char *text,
                     size_t bytes) {
    Dwfl_Module *module = places ? module_of(places, file) : NULL;
    GElf_Addr bias = 0;
    const char *function = NULL;
    if (module && places->dwfl_module_getelf(module, &bias)) {
        Dwarf_Addr pc = address + bias - 1; /* within the call */
        int number = 0;
        GElf_Off offset = 0;
        GElf_Sym symbol = {0};
        const char *source = uno_source_line(&places->lines, module, pc, &number);
        if (source) {
            snprintf(text, bytes, "%s:%d", source, number);
            return;
        }
        function = places->dwfl_module_addrinfo(module, pc, &offset, &symbol, NULL, NULL, NULL);
        if (offset >= symbol.st_size) /* the nearest one whose name was kept, and not the function itself */
            function = NULL;
    }
    write_file(file, function, text, bytes);
}

#else

struct uno_places *uno_places_open(void) {
    return NULL;
}

void uno_places_close(struct uno_places *places) {
    (void)places;
}

void uno_places_find(struct uno_places *places, const char *file, uint64_t address, char *text,
                     size_t bytes) {
    (void)places;
    (void)address;
    write_file(file, NULL, text, bytes);
}

#endif

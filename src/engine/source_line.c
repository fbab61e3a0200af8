#ifdef UNO_LIBDW
#include "source_line.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <stdlib.h>

bool uno_source_line_load(struct uno_source_line *lines, void *library) {
    bool whole = library;
#define X(name) whole = whole && (lines->name = (__typeof__(lines->name))dlsym(library, #name)) != NULL;
    UNO_SOURCE_LINE_FUNCTIONS(X)
#undef X
    return whole;
}

static bool is_artificial(const struct uno_source_line *lines, Dwarf_Die *scope) {
    Dwarf_Attribute attribute;
    bool flag = false;
    return lines->dwarf_tag(scope) == DW_TAG_inlined_subroutine &&
           lines->dwarf_attr_integrate(scope, DW_AT_artificial, &attribute) &&
           lines->dwarf_formflag(&attribute, &flag) == 0 && flag;
}

static bool read_number(const struct uno_source_line *lines, Dwarf_Die *scope, unsigned name,
                        Dwarf_Word *value) {
    Dwarf_Attribute attribute;
    return lines->dwarf_attr(scope, name, &attribute) && lines->dwarf_formudata(&attribute, value) == 0;
}

/* Return the source and the line of the call of the outermost of the artificial functions that begin with the
 * innermost scope; NULL: there is none. */
static const char *call_of(const struct uno_source_line *lines, Dwfl_Module *module, Dwarf_Addr pc,
                           int *number) {
    Dwarf_Addr bias;
    Dwarf_Die *unit = lines->dwfl_module_addrdie(module, pc, &bias), *scope = NULL, *call = NULL;
    int scopes = unit ? lines->dwarf_getscopes(unit, pc - bias, &scope) : 0;
    for (int i = 0; i < scopes; i++) {
        if (lines->dwarf_tag(&scope[i]) == DW_TAG_lexical_block)
            continue;
        if (!is_artificial(lines, &scope[i]))
            break;
        call = &scope[i];
    }
    Dwarf_Word line, file;
    Dwarf_Files *files;
    size_t count;
    const char *source = NULL;
    if (call && read_number(lines, call, DW_AT_call_line, &line) &&
        read_number(lines, call, DW_AT_call_file, &file) &&
        lines->dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count) {
        source = lines->dwarf_filesrc(files, (size_t)file, NULL, NULL);
        *number = (int)line;
    }
    free(scope);
    return source;
}

const char *uno_source_line(const struct uno_source_line *lines, Dwfl_Module *module, Dwarf_Addr pc,
                            int *number) {
    const char *source = call_of(lines, module, pc, number);
    Dwfl_Line *line = source ? NULL : lines->dwfl_module_getsrc(module, pc);
    if (line)
        source = lines->dwfl_lineinfo(line, NULL, number, NULL, NULL, NULL);
    return source && *number ? source : NULL;
}
#else
typedef int uno_no_libdw; /* a source has a declaration */
#endif

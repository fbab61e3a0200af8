/* The line of the source that an address belongs to, by libdw of elfutils, which its callers have loaded.
 * Only where there are its headers (UNO_LIBDW). */

#ifndef UNO_SOURCE_LINE_H
#define UNO_SOURCE_LINE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#define UNO_SOURCE_LINE_FUNCTIONS(X)                                                                         \
    X(dwfl_module_getsrc)                                                                                    \
    X(dwfl_lineinfo)                                                                                         \
    X(dwfl_module_addrdie)                                                                                   \
    X(dwarf_getscopes)                                                                                       \
    X(dwarf_tag)                                                                                             \
    X(dwarf_attr)                                                                                            \
    X(dwarf_attr_integrate)                                                                                  \
    X(dwarf_formflag)                                                                                        \
    X(dwarf_formudata)                                                                                       \
    X(dwarf_getsrcfiles)                                                                                     \
    X(dwarf_filesrc)

struct uno_source_line {
#define X(name) __typeof__(&(name)) name;
    UNO_SOURCE_LINE_FUNCTIONS(X)
#undef X
};

/* Find the functions in libdw. Return false if one is missing. */
bool uno_source_line_load(struct uno_source_line *lines, void *library);

/* Return the path of the source, and its line; NULL: it is not known. Of a function that says of itself that
 * it is no place of its own (the attribute `artificial`, as the overloads of papers/generic.h), and that the
 * compiler has put where it is called, it is the line of the call. */
const char *uno_source_line(const struct uno_source_line *lines, Dwfl_Module *module, Dwarf_Addr pc,
                            int *number);

#endif

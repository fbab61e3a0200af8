#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "next.h"

#define NAME(result, name, ...) #name,
const char *const uno_seen_pes_names[] = {UNO_SEEN_OF_ALL(NAME, int, ) UNO_SEEN_OF_INTEGER(
    NAME, int, ) UNO_SEEN_OF_UNSIGNED(NAME, int, ) UNO_SEEN_MEETINGS(NAME) UNO_SEEN_MESSAGES(NAME)};

struct uno_seen_next uno_seen_next;

/* The names in the library, in the order of the fields of uno_seen_next. */
#define SYMBOL(result, name, suffix, parameters, arguments) #name #suffix,
static const char *const symbols[] = {
#define UNO_SEEN_TYPED SYMBOL
#include "typed.def"
    UNO_SEEN_MEETINGS(NAME) UNO_SEEN_MESSAGES(NAME) UNO_SEEN_STATES(NAME)};

_Static_assert(sizeof symbols == sizeof uno_seen_next, "each field has its name");

/* Find the functions, in the library behind this one. */
__attribute__((constructor)) static void find(void) {
    void **function = (void **)&uno_seen_next;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        function[i] = dlsym(RTLD_NEXT, symbols[i]);
}

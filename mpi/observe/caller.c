#define _GNU_SOURCE
#include "caller.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "engine/expect.h"

/* Where the code of such a library begins, and its length. */
static struct range { uintptr_t start, length; } fortran;

static bool is_in(const void *address, const struct range *range) {
    return (uintptr_t)address - range->start < range->length;
}

static int look(struct dl_phdr_info *info, size_t size, void *argument) {
    (void)size;
    (void)argument;
    const char *name = info->dlpi_name ? info->dlpi_name : "";
    bool is_fortran = strstr(name, "unisono/mpi/lib/others/libmpifort.so") ||
                      strstr(name, "unisono/mpi/lib/others/libmpi_mpifh.so");
    struct range *range = is_fortran ? &fortran : NULL;
    for (int i = 0; range && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            range->start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            range->length = info->dlpi_phdr[i].p_memsz;
        }
    return 0;
}

void uno_seen_callers_find(void) {
    dl_iterate_phdr(look, NULL);
}

const void *uno_seen_caller(const void *address, const void *frame) {
    if (UNO_UNLIKELY(is_in(address, &fortran))) {
        /* its functions are compiled with frame pointers */
        const void *const *own = frame, *const *above = own[0];
        return above[1];
    }
    return address;
}

/* Windows to which a rank gives memory while they are there. Displacements are addresses. */

#include <stdlib.h>

#include "library/calls.h"
#include "library/object/address.h"
#include "library/window/window.h"

/* A piece of memory that is in the window. */
struct uno_attachment {
    struct uno_attachment *next;
    uintptr_t at;
    size_t bytes;
};

static int check(const struct uno_mpi_win *win) {
    return win->flavor == MPI_WIN_FLAVOR_DYNAMIC
               ? MPI_SUCCESS
               : uno_error(MPI_ERR_RMA_FLAVOR, "win was not made by MPI_Win_create_dynamic");
}

int uno_mpi_win_attach(struct uno_mpi_win *win, void *base, MPI_Aint size) {
    int error = check(win);
    if (error)
        return error;
    if (size < 0)
        return uno_error(MPI_ERR_SIZE, "size is %lld", (long long)size);
    if (size > 0 && !uno_is_address(base))
        return uno_error(MPI_ERR_BASE, "base is %s", base ? "no address of data" : "a null pointer");
    for (const struct uno_attachment *a = win->attached; a; a = a->next)
        if ((uintptr_t)base < a->at + a->bytes && a->at < (uintptr_t)base + (size_t)size)
            return uno_error(MPI_ERR_RMA_ATTACH, "memory at %p is attached already", base);
    struct uno_attachment *a = malloc(sizeof *a);
    if (!a)
        return uno_error(MPI_ERR_NO_MEM, "out of memory");
    *a = (struct uno_attachment){win->attached, (uintptr_t)base, (size_t)size};
    win->attached = a;
    return MPI_SUCCESS;
}

int uno_mpi_win_detach(struct uno_mpi_win *win, const void *base) {
    int error = check(win);
    if (error)
        return error;
    if (!base)
        return uno_error(MPI_ERR_BASE, "base is a null pointer");
    for (struct uno_attachment **at = &win->attached, *a; (a = *at) != NULL; at = &a->next)
        if (a->at == (uintptr_t)base) {
            *at = a->next;
            free(a);
            return MPI_SUCCESS;
        }
    return uno_error(MPI_ERR_RMA_ATTACH, "%p is not the beginning of attached memory", base);
}

bool uno_win_has(const struct uno_mpi_win *win, uintptr_t at, size_t bytes) {
    while (bytes) { /* which may lie in several pieces, one directly behind the other */
        const struct uno_attachment *a = win->attached;
        while (a && at - a->at >= a->bytes)
            a = a->next;
        if (!a)
            return false;
        size_t some = a->bytes - (at - a->at);
        some = some < bytes ? some : bytes;
        at += some;
        bytes -= some;
    }
    return true;
}

void uno_win_detach_all(struct uno_mpi_win *win) {
    for (struct uno_attachment *a; (a = win->attached) != NULL; free(a))
        win->attached = a->next;
}

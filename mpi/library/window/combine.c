#include "library/window/combine.h"

#include <string.h>

#include "engine/fault.h"
#include "engine/reach.h"
#include "engine/wait.h"
#include "library/type/predefined.h"
#include "library/window/ask.h"

enum { PART = 1 << 14 /* bytes that are combined while they are in the nearest caches */ };

int uno_combining_of(struct uno_combining *how, const struct uno_mpi_type *basic,
                     const struct uno_mpi_op *op) {
    MPI_Op handle = (MPI_Op)op->object.handle;
    const uno_kernel *kernels = basic ? uno_type_kernels(basic) : NULL;
    *how = (struct uno_combining){.width = basic ? (size_t)basic->layout.extent : 1};
    how->op = handle;
    how->basic = basic ? (MPI_Datatype)basic->object.handle : MPI_DATATYPE_NULL;
    how->keeps = handle == MPI_NO_OP;
    if (how->keeps || handle == MPI_REPLACE)
        return MPI_SUCCESS;
    if (op->function)
        return uno_error(MPI_ERR_OP, "op is the program's, and one-sided operations take only MPI's own");
    how->kernel = kernels && op->operator<UNO_OPERATORS ? kernels[op->operator] : NULL;
    how->adds = op->operator== UNO_SUM && kernels && kernels[UNO_BAND];
    if (!how->kernel)
        return uno_error(MPI_ERR_OP, "op is not for elements of that type");
    return MPI_SUCCESS;
}

/* ---- at once -------------------------------------------------------------------------------------------
 */

/* Change the elements in so many bytes, 1, 2, 4 or 8, by compare-and-exchange. */
static uint64_t exchange(const struct uno_combining *how, void *at, size_t bytes, uint64_t with) {
    uint64_t old = uno_number_load(at, bytes);
    for (;;) {
        uint64_t a, b, result;
        uno_number_to(&a, bytes, old);
        uno_number_to(&b, bytes, with);
        how->kernel((const void *const[]){&a, &b}, 2, bytes / how->width, &result);
        if (uno_number_cas(at, bytes, old, uno_number_of(&result, bytes)))
            return old;
        old = uno_number_load(at, bytes);
    }
}

uint64_t uno_single(const struct uno_combining *how, void *at, size_t bytes, uint64_t with) {
    if (how->adds && bytes == how->width)
        return uno_number_add(at, bytes, with);
    if (how->keeps)
        return uno_number_load(at, bytes);
    return how->kernel ? exchange(how, at, bytes, with) : uno_number_swap(at, bytes, with);
}

void uno_win_single_begin_slowly(struct uno_mpi_win *win, int target, unsigned signature) {
    uno_win_take(win, target, true, true, signature);
}

/* The elements of a run that fit into one number. */
static void at_once(const struct uno_spot *spot, const struct uno_run *run, const struct uno_combining *how,
                    const char *bytes, char *before, unsigned signature) {
    uint64_t with = bytes ? uno_number_of(bytes, run->bytes) : 0;
    bool held = uno_win_single_begin(spot, signature);
    uint64_t old = uno_single(how, spot->at + run->at, run->bytes, with);
    uno_win_single_end(spot, held);
    if (before)
        uno_number_to(before, run->bytes, old);
}

/* ---- by whoever holds the lock ---------------------------------------------------------------------------
 */

/* Wait until no rank changes elements of the target one by one. They are in the middle of a few instructions.
 */
static void settle(const struct uno_mpi_win *win, int target, unsigned signature) {
    struct uno_pe *pe = uno_rank->pe;
    for (int r = 0; r < win->n; r++)
        for (unsigned looks = 1; uno_lock_has_beside(&win->control[r].changes, (uint64_t)target + 1);
             looks++) {
            uno_pause();
            if (looks % 64)
                continue;
            uno_fault_check(pe, win->owner.comm->peer[r], signature);
            uno_wait_give_away(pe);
        }
}

static void combine(const struct uno_combining *how, char *target, const char *bytes, size_t size) {
    if (how->kernel)
        how->kernel((const void *const[]){target, bytes}, 2, size / how->width, target);
    else if (!how->keeps)
        memmove(target, bytes, size);
}

/* A part that is in this process. */
static int here(const struct uno_spot *spot, MPI_Count at, const struct uno_combining *how, const char *bytes,
                char *before, size_t size) {
    char *target = spot->at + at;
    if (before)
        memmove(before, target, size);
    combine(how, target, bytes, size);
    return MPI_SUCCESS;
}

/* A part that is in another process: it is copied here, and back. */
static int there(const struct uno_spot *spot, MPI_Count at, const struct uno_combining *how,
                 const char *bytes, char *before, size_t size) {
    char copy[PART] __attribute__((aligned(16)));
    struct uno_runs runs = {.run = &(struct uno_run){at, size}, .count = 1};
    int error = how->kernel || before ? uno_win_read(spot, &runs, copy) : MPI_SUCCESS;
    if (before)
        memcpy(before, copy, size);
    if (error || how->keeps)
        return error;
    combine(how, copy, bytes, size);
    return uno_win_write(spot, &runs, copy);
}

int uno_win_combine_held(const struct uno_spot *spot, const struct uno_runs *runs,
                         const struct uno_combining *how, const char *bytes, char *before) {
    size_t most = PART / how->width * how->width;
    int error = MPI_SUCCESS;
    for (size_t i = 0; i < runs->count && !error; i++)
        for (size_t done = 0; done < runs->run[i].bytes && !error; done += most) {
            size_t size = runs->run[i].bytes - done < most ? runs->run[i].bytes - done : most;
            error =
                (spot->at ? here : there)(spot, runs->run[i].at + (MPI_Count)done, how, bytes, before, size);
            bytes += bytes ? size : 0;
            before += before ? size : 0;
        }
    return error;
}

void uno_win_hold(const struct uno_spot *spot, unsigned signature) {
    struct uno_mpi_win *win = spot->win;
    if (win->remote) /* nobody but this rank itself changes them */
        return;
    uno_win_take(win, spot->rank, true, true, signature);
    if (win->apart)
        return;
    uno_lock_close(&win->control[spot->rank].closed);
    settle(win, spot->rank, signature);
}

void uno_win_let_go(const struct uno_spot *spot) {
    struct uno_mpi_win *win = spot->win;
    if (win->remote)
        return;
    if (!win->apart)
        uno_lock_open(&win->control[spot->rank].closed);
    uno_win_give(win, spot->rank, true, true);
}

int uno_win_combine(const struct uno_spot *spot, const struct uno_runs *runs, const struct uno_combining *how,
                    const char *bytes, char *before, unsigned signature) {
    if (!runs->bytes)
        return MPI_SUCCESS;
    if (runs->count == 1 && uno_win_single(spot, runs->run->at, runs->bytes)) {
        at_once(spot, runs->run, how, bytes, before, signature);
        return MPI_SUCCESS;
    }
    if (uno_is_remote(spot))
        return uno_ask_combine(spot, runs, how->width, how->op, how->basic, bytes, before);
    uno_win_hold(spot, signature);
    int error = uno_win_combine_held(spot, runs, how, bytes, before);
    uno_win_let_go(spot);
    return error;
}

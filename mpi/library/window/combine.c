#include "library/window/combine.h"

#include <string.h>

#include "collective/base.h"
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

/* ---- of memory ------------------------------------------------------------------------------------------
 */

static inline void combine(const struct uno_combining *how, char *target, const char *bytes, size_t size) {
    if (how->kernel)
        how->kernel((const void *const[]){target, bytes}, 2, size / how->width, target);
    else if (!how->keeps)
        uno_win_copy(target, bytes, size);
}

/* A part that is in this process. */
static inline int here(const struct uno_spot *spot, MPI_Count at, const struct uno_combining *how,
                       const char *bytes, char *before, size_t size) {
    char *target = spot->at + at;
    if (before)
        uno_win_copy(before, target, size);
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

static int part(const struct uno_spot *spot, MPI_Count at, const struct uno_combining *how, const char *bytes,
                char *before, size_t size) {
    return (spot->at ? here : there)(spot, at, how, bytes, before, size);
}

/* The elements are held, and let go between parts. */
static int by_parts(const struct uno_spot *spot, const struct uno_runs *runs, const struct uno_combining *how,
                    const char *bytes, char *before, unsigned signature) {
    size_t most = PART / how->width * how->width, held = 0;
    int error = MPI_SUCCESS;
    for (size_t i = 0; i < runs->count && !error; i++)
        for (size_t done = 0; done < runs->run[i].bytes && !error; done += most) {
            size_t size = uno_least(runs->run[i].bytes - done, most);
            if (held + size > most) {
                uno_win_let_go(spot->win, spot->rank);
                uno_win_hold(spot->win, spot->rank, signature);
                held = 0;
            }
            error = part(spot, runs->run[i].at + (MPI_Count)done, how, bytes, before, size);
            held += size;
            bytes += bytes ? size : 0;
            before += before ? size : 0;
        }
    return error;
}

int uno_win_combine(const struct uno_spot *spot, const struct uno_runs *runs, const struct uno_combining *how,
                    const char *bytes, char *before, unsigned signature) {
    if (!runs->bytes)
        return MPI_SUCCESS;
    if (uno_is_asked(spot))
        return uno_ask_combine(spot, runs, how->op, how->basic, bytes);
    uno_win_hold(spot->win, spot->rank, signature);
    int error = by_parts(spot, runs, how, bytes, before, signature);
    uno_win_let_go(spot->win, spot->rank);
    return error;
}

int uno_win_combine_some(const struct uno_spot *spot, const struct uno_combining *how, size_t bytes,
                         const char *data, char *before, unsigned signature) {
    if (UNO_UNLIKELY(!spot->at || bytes > PART)) {
        struct uno_runs runs = {.run = &(struct uno_run){0, bytes}, .count = 1, .bytes = bytes};
        return uno_win_combine(spot, &runs, how, data, before, signature);
    }
    uno_win_hold(spot->win, spot->rank, signature);
    here(spot, 0, how, data, before, bytes);
    uno_win_let_go(spot->win, spot->rank);
    return MPI_SUCCESS;
}

/* The operations that combine elements of a target with those of an origin. */

#include <string.h>

#include "library/calls.h"
#include "library/object/address.h"
#include "library/rank/ops.h"
#include "library/type/address.h"
#include "library/type/predefined.h"
#include "library/window/ask.h"
#include "library/window/combine.h"
#include "library/window/requested.h"

/* The origin's elements; of MPI_NO_OP there are none. */
struct operands {
    const void *at;
    MPI_Count count;
    const struct uno_mpi_type *type; /* NULL: it is none */
};

static int mixed(const char *name) {
    return uno_error(MPI_ERR_TYPE, "%s is not made of one predefined type", name);
}

static int check_origin(const struct operands *origin) {
    if (!origin->type)
        return uno_error(MPI_ERR_TYPE, "origin_datatype is no data type, or has not been committed");
    if (origin->count < 0)
        return uno_error(MPI_ERR_COUNT, "origin_count is %lld", (long long)origin->count);
    return uno_address_check("origin_addr", origin->at, origin->count, origin->type);
}

/* Combine, with the stream of the origin open. */
static int with_stream(const struct uno_spot *spot, struct uno_runs *to, const struct uno_combining *how,
                       const struct uno_stream *from, char *before, unsigned signature) {
    if (from && from->runs.basic && to->basic && from->runs.basic != to->basic)
        return uno_error(MPI_ERR_TYPE, "the elements of the origin are of another type than the target's");
    if (from && from->runs.bytes > to->bytes)
        return uno_error(MPI_ERR_TRUNCATE, "%zu bytes are to be combined with %zu", from->runs.bytes,
                         to->bytes);
    if (from)
        uno_runs_cut(to, from->runs.bytes);
    return uno_win_combine(spot, to, how, from ? from->bytes : NULL, before, signature);
}

static int with_origin(const struct uno_spot *spot, struct uno_runs *to, const struct uno_mpi_op *op,
                       const struct operands *origin, char *before, unsigned signature) {
    struct uno_combining how;
    if (to->mixed)
        return mixed("target_datatype");
    if (!to->bytes)
        return MPI_SUCCESS;
    int error = uno_combining_of(&how, to->basic, op);
    if (error)
        return error;
    if (how.keeps)
        return with_stream(spot, to, &how, NULL, before, signature);
    struct uno_stream from;
    error = check_origin(origin);
    if (error)
        return error;
    uno_stream_in(&from, origin->at, origin->count, origin->type);
    error =
        from.runs.mixed ? mixed("origin_datatype") : with_stream(spot, to, &how, &from, before, signature);
    uno_stream_free(&from);
    return error;
}

/* Both sides are one run of elements of a predefined type. */
static int accumulate_run(const struct uno_spot *spot, const void *origin, MPI_Count count,
                          const struct uno_mpi_type *type, const struct uno_mpi_op *op) {
    struct uno_combining how;
    size_t bytes = (size_t)count * (size_t)type->layout.extent;
    int error = bytes ? uno_combining_of(&how, type->same ? type->same : type, op) : MPI_SUCCESS;
    return error || !bytes
               ? error
               : uno_win_combine_run(spot, &how, bytes, origin, NULL, UNO_SIGNATURE_MPI_ACCUMULATE);
}

int uno_mpi_accumulate(const void *origin_addr, MPI_Count origin_count, struct uno_mpi_type *origin_datatype,
                       int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                       struct uno_mpi_type *target_datatype, struct uno_mpi_op *op, struct uno_mpi_win *win) {
    struct operands origin = {origin_addr, origin_count, origin_datatype};
    struct uno_spot spot;
    struct uno_runs to;
    if (target_rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    int error = uno_spot_of(&spot, win, target_rank, target_disp, target_count, target_datatype);
    if (error)
        return error;
    if (UNO_LIKELY(target_datatype == origin_datatype && origin_count == target_count &&
                   uno_type_is_predefined(target_datatype)))
        return accumulate_run(&spot, origin_addr, origin_count, origin_datatype, op);
    uno_runs_of(&to, target_count, target_datatype);
    error = with_origin(&spot, &to, op, &origin, NULL, UNO_SIGNATURE_MPI_ACCUMULATE);
    uno_runs_free(&to);
    return error;
}

int uno_win_get_accumulate(const void *origin_addr, MPI_Count origin_count,
                           struct uno_mpi_type *origin_datatype, void *result_addr, MPI_Count result_count,
                           struct uno_mpi_type *result_datatype, int target_rank, MPI_Aint target_disp,
                           MPI_Count target_count, struct uno_mpi_type *target_datatype,
                           struct uno_mpi_op *op, struct uno_mpi_win *win, struct uno_mpi_request *request) {
    struct operands origin = {origin_addr, origin_count, origin_datatype};
    struct uno_win_elements result = {result_addr, result_count, result_datatype};
    struct uno_spot spot;
    struct uno_runs to;
    struct uno_stream before;
    if (target_rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    int error = uno_spot_of(&spot, win, target_rank, target_disp, target_count, target_datatype);
    if (error)
        return error;
    spot.result = &result;
    spot.request = request;
    uno_runs_of(&to, target_count, target_datatype);
    uno_stream_out(&before, result_addr, result_count, result_datatype);
    if (before.runs.bytes < to.bytes)
        uno_runs_cut(&to, before.runs.bytes);
    error = with_origin(&spot, &to, op, &origin, before.bytes, UNO_SIGNATURE_MPI_GET_ACCUMULATE);
    if (!error && !uno_is_asked(&spot))
        uno_stream_fill(&before, to.bytes);
    uno_stream_free(&before);
    uno_runs_free(&to);
    return error;
}

int uno_mpi_get_accumulate(const void *origin_addr, MPI_Count origin_count,
                           struct uno_mpi_type *origin_datatype, void *result_addr, MPI_Count result_count,
                           struct uno_mpi_type *result_datatype, int target_rank, MPI_Aint target_disp,
                           MPI_Count target_count, struct uno_mpi_type *target_datatype,
                           struct uno_mpi_op *op, struct uno_mpi_win *win) {
    return uno_win_get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                                  result_datatype, target_rank, target_disp, target_count, target_datatype,
                                  op, win, NULL);
}

/* ---- one element -----------------------------------------------------------------------------------------
 */

int uno_mpi_fetch_and_op(const void *origin_addr, void *result_addr, struct uno_mpi_type *datatype,
                         int target_rank, MPI_Aint target_disp, struct uno_mpi_op *op,
                         struct uno_mpi_win *win) {
    struct uno_win_elements result = {result_addr, 1, datatype};
    struct uno_spot spot;
    struct uno_combining how;
    if (UNO_UNLIKELY(target_rank == MPI_PROC_NULL))
        return MPI_SUCCESS;
    int error = uno_spot_of(&spot, win, target_rank, target_disp, 1, datatype);
    error = error ? error : uno_combining_of(&how, datatype, op);
    if (UNO_UNLIKELY(error))
        return error;
    if (!uno_type_is_predefined(datatype->same ? datatype->same : datatype))
        return uno_error(MPI_ERR_TYPE, "datatype is no predefined type");
    if (UNO_UNLIKELY(!uno_is_address(origin_addr) && !how.keeps))
        return uno_address_check("origin_addr", origin_addr, 1, datatype);
    spot.result = &result;
    return uno_win_combine_run(&spot, &how, how.width, origin_addr, result_addr,
                               UNO_SIGNATURE_MPI_FETCH_AND_OP);
}

/* Return true if MPI compares elements of that type: numbers without a fraction, truth values, and bytes. */
static bool is_compared(const struct uno_mpi_type *type) {
    const uno_kernel *kernels = uno_type_kernels(type);
    bool predefined = uno_type_is_predefined(type->same ? type->same : type);
    return predefined && (!kernels || kernels[UNO_BAND] || kernels[UNO_LAND]);
}

/* Swap if it is equal. */
static int swap(const struct uno_spot *spot, size_t width, const void *compare, const void *origin,
                void *result, bool *swapped) {
    struct uno_runs runs = {.run = &(struct uno_run){0, width}, .count = 1, .bytes = width};
    int error = uno_win_read(spot, &runs, result);
    *swapped = !error && memcmp(result, compare, width) == 0;
    return *swapped ? uno_win_write(spot, &runs, origin) : error;
}

/* Likewise, of an element in memory of this process, and of 1, 2, 4 or 8 bytes. */
static bool swap_here(char *at, size_t width, const void *compare, const void *origin, void *result) {
    uint64_t old = uno_number_of(at, width);
    bool equal = old == uno_number_of(compare, width);
    if (equal)
        uno_number_to(at, width, uno_number_of(origin, width));
    uno_number_to(result, width, old);
    return equal;
}

int uno_mpi_compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr,
                             struct uno_mpi_type *datatype, int target_rank, MPI_Aint target_disp,
                             struct uno_mpi_win *win) {
    struct uno_win_elements result = {result_addr, 1, datatype};
    struct uno_spot spot;
    if (UNO_UNLIKELY(target_rank == MPI_PROC_NULL))
        return MPI_SUCCESS;
    int error = uno_spot_of(&spot, win, target_rank, target_disp, 1, datatype);
    if (UNO_UNLIKELY(error))
        return error;
    spot.result = &result;
    if (UNO_UNLIKELY(!is_compared(datatype)))
        return uno_error(MPI_ERR_TYPE, "elements of that type are not compared");
    size_t width = (size_t)datatype->layout.extent;
    if (uno_is_asked(&spot))
        return uno_ask_swap(&spot, width, compare_addr, origin_addr);
    bool swapped;
    uno_win_hold(win, target_rank, UNO_SIGNATURE_MPI_COMPARE_AND_SWAP);
    if (UNO_LIKELY(spot.at && width <= 8))
        swapped = swap_here(spot.at, width, compare_addr, origin_addr, result_addr);
    else
        error = swap(&spot, width, compare_addr, origin_addr, result_addr, &swapped);
    uno_win_let_go(win, target_rank);
    if (!swapped) /* the program will try again, and another rank may need the processor for that */
        uno_channel_looked_in_vain(uno_rank->channel, UNO_WILD, UNO_SIGNATURE_MPI_COMPARE_AND_SWAP);
    return error;
}

/* MPI_Put and MPI_Get. */

#include <string.h>

#include "collective/base.h"
#include "engine/atomic.h"
#include "library/calls.h"
#include "library/type/datatype.h"
#include "library/window/carry.h"
#include "library/window/requested.h"

_Thread_local bool uno_win_unordered;

/* Neither side is one run in this process. */
static int put_any(const struct uno_spot *spot, const void *origin, MPI_Count count,
                   const struct uno_mpi_type *type, MPI_Count target_count,
                   const struct uno_mpi_type *target_type) {
    struct uno_stream from;
    struct uno_runs to;
    uno_stream_in(&from, origin, count, type);
    uno_runs_of(&to, target_count, target_type);
    uno_runs_cut(&to, uno_least(to.bytes, from.runs.bytes));
    int error = uno_win_write(spot, &to, from.bytes);
    uno_runs_free(&to);
    uno_stream_free(&from);
    return error;
}

static int get_any(const struct uno_spot *spot, void *origin, MPI_Count count,
                   const struct uno_mpi_type *type, MPI_Count target_count,
                   const struct uno_mpi_type *target_type) {
    struct uno_stream to;
    struct uno_runs from;
    uno_stream_out(&to, origin, count, type);
    uno_runs_of(&from, target_count, target_type);
    uno_runs_cut(&from, uno_least(from.bytes, to.runs.bytes));
    int error = uno_win_read(spot, &from, to.bytes);
    if (!uno_is_asked(spot))
        uno_stream_fill(&to, from.bytes);
    uno_runs_free(&from);
    uno_stream_free(&to);
    return error;
}

static int truncated(size_t here, size_t there) {
    return uno_error(MPI_ERR_TRUNCATE, "%zu bytes are to go to a place for %zu", here, there);
}

int uno_mpi_put(const void *origin_addr, MPI_Count origin_count, struct uno_mpi_type *origin_datatype,
                int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                struct uno_mpi_type *target_datatype, struct uno_mpi_win *win) {
    struct uno_spot spot;
    const struct uno_layout *origin = &origin_datatype->layout, *target = &target_datatype->layout;
    size_t bytes = (size_t)origin_count * origin->size, room = (size_t)target_count * target->size;
    if (UNO_UNLIKELY(target_rank == MPI_PROC_NULL))
        return MPI_SUCCESS;
    int error = uno_spot_of(&spot, win, target_rank, target_disp, target_count, target_datatype);
    if (UNO_UNLIKELY(error || bytes > room))
        return error ? error : truncated(bytes, room);
    uno_win_unordered = true;
    if (UNO_LIKELY(spot.at && origin->plain && target->plain))
        uno_win_copy(spot.at, origin_addr, bytes);
    else if (spot.at && origin->plain)
        uno_type_unpack_part(target_datatype, origin_addr, bytes, spot.at);
    else if (spot.at && target->plain)
        origin->pack(origin, origin_addr, (size_t)origin_count, spot.at);
    else
        return put_any(&spot, origin_addr, origin_count, origin_datatype, target_count, target_datatype);
    return MPI_SUCCESS;
}

static inline __attribute__((always_inline)) int
get(void *origin_addr, MPI_Count origin_count, struct uno_mpi_type *origin_datatype, int target_rank,
    MPI_Aint target_disp, MPI_Count target_count, struct uno_mpi_type *target_datatype,
    struct uno_mpi_win *win, struct uno_mpi_request *request) {
    struct uno_win_elements result = {origin_addr, origin_count, origin_datatype};
    struct uno_spot spot;
    const struct uno_layout *origin = &origin_datatype->layout, *target = &target_datatype->layout;
    size_t bytes = (size_t)target_count * target->size, room = (size_t)origin_count * origin->size;
    if (UNO_UNLIKELY(target_rank == MPI_PROC_NULL))
        return MPI_SUCCESS;
    int error = uno_spot_of(&spot, win, target_rank, target_disp, target_count, target_datatype);
    if (UNO_UNLIKELY(error || bytes > room))
        return error ? error : truncated(bytes, room);
    uno_win_order();
    spot.result = &result;
    spot.request = request;
    if (UNO_LIKELY(spot.at && origin->plain && target->plain))
        uno_win_copy(origin_addr, spot.at, bytes);
    else if (spot.at && origin->plain)
        target->pack(target, spot.at, (size_t)target_count, origin_addr);
    else if (spot.at && target->plain)
        uno_type_unpack_part(origin_datatype, spot.at, bytes, origin_addr);
    else
        return get_any(&spot, origin_addr, origin_count, origin_datatype, target_count, target_datatype);
    return MPI_SUCCESS;
}

int uno_mpi_get(void *origin_addr, MPI_Count origin_count, struct uno_mpi_type *origin_datatype,
                int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                struct uno_mpi_type *target_datatype, struct uno_mpi_win *win) {
    return get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
               target_datatype, win, NULL);
}

int uno_win_get(void *origin_addr, MPI_Count origin_count, struct uno_mpi_type *origin_datatype,
                int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                struct uno_mpi_type *target_datatype, struct uno_mpi_win *win,
                struct uno_mpi_request *request) {
    return get(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
               target_datatype, win, request);
}

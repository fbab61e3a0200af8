/* The operations with a request: what they do is done when they return, or the target has been asked for it
 * (ask.h). Then the origin's data are on their way, and only what is got is waited for. */

#include "library/calls.h"
#include "library/message/requests.h"
#include "library/window/requested.h"

/* Requests are for epochs in which the program can flush what it has done. */
static int begin(const struct uno_mpi_win *win, int rank, const char *name) {
    bool fits = rank == MPI_PROC_NULL || win->epoch >= UNO_EPOCH_LOCK;
    return fits ? MPI_SUCCESS : uno_win_out_of_step(win, name);
}

static int end(int error, MPI_Request *request) {
    return error ? error : uno_request_nothing(request);
}

/* ---- what is got ----------------------------------------------------------------------------------------
 */

static int tell(struct uno_mpi_request *r, MPI_Status *status) {
    int error = r->receive.mark;
    uno_status_empty(status);
    if (!error)
        return MPI_SUCCESS;
    uno_blame_owner(r->kept);
    return uno_error(error, "the target has no such memory in the window");
}

static int cancel(struct uno_mpi_request *r) {
    (void)r;
    return uno_error(MPI_ERR_REQUEST, "an access to a window is not cancelled");
}

static int nothing_more(struct uno_mpi_request *r) {
    (void)r;
    return MPI_SUCCESS;
}

static void drop(void *kept) {
    (void)kept;
}

static const struct uno_request_kind gets = {
    .tell = tell, .cancel = cancel, .end = nothing_more, .drop = drop};

/* Make a request for what this rank gets from a target that it asks; NULL: it needs none. */
static struct uno_mpi_request *make(struct uno_mpi_win *win, int rank) {
    if (rank == MPI_PROC_NULL || !win->part[rank].asked)
        return NULL;
    struct uno_mpi_request *r = uno_request_begin(&gets, &win->owner);
    r->receive.done = true;
    r->receive.mark = MPI_SUCCESS;
    return r;
}

static int give(int error, struct uno_mpi_request *made, MPI_Request *request) {
    if (!made)
        return end(error, request);
    if (error)
        uno_object_drop(made);
    else
        *request = (MPI_Request)made->object.handle;
    return error;
}

/* ---- the calls ------------------------------------------------------------------------------------------
 */

int uno_mpi_rput(const void *origin_addr, MPI_Count origin_count, struct uno_mpi_type *origin_datatype,
                 int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                 struct uno_mpi_type *target_datatype, struct uno_mpi_win *win, MPI_Request *request) {
    int error = begin(win, target_rank, "MPI_Rput");
    return end(error ? error
                     : uno_mpi_put(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                   target_count, target_datatype, win),
               request);
}

int uno_mpi_rget(void *origin_addr, MPI_Count origin_count, struct uno_mpi_type *origin_datatype,
                 int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                 struct uno_mpi_type *target_datatype, struct uno_mpi_win *win, MPI_Request *request) {
    int error = begin(win, target_rank, "MPI_Rget");
    if (error)
        return error;
    struct uno_mpi_request *r = make(win, target_rank);
    return give(uno_win_get(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                            target_count, target_datatype, win, r),
                r, request);
}

int uno_mpi_raccumulate(const void *origin_addr, MPI_Count origin_count, struct uno_mpi_type *origin_datatype,
                        int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                        struct uno_mpi_type *target_datatype, struct uno_mpi_op *op, struct uno_mpi_win *win,
                        MPI_Request *request) {
    int error = begin(win, target_rank, "MPI_Raccumulate");
    return end(error ? error
                     : uno_mpi_accumulate(origin_addr, origin_count, origin_datatype, target_rank,
                                          target_disp, target_count, target_datatype, op, win),
               request);
}

int uno_mpi_rget_accumulate(const void *origin_addr, MPI_Count origin_count,
                            struct uno_mpi_type *origin_datatype, void *result_addr, MPI_Count result_count,
                            struct uno_mpi_type *result_datatype, int target_rank, MPI_Aint target_disp,
                            MPI_Count target_count, struct uno_mpi_type *target_datatype,
                            struct uno_mpi_op *op, struct uno_mpi_win *win, MPI_Request *request) {
    int error = begin(win, target_rank, "MPI_Rget_accumulate");
    if (error)
        return error;
    struct uno_mpi_request *r = make(win, target_rank);
    return give(uno_win_get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                                       result_datatype, target_rank, target_disp, target_count,
                                       target_datatype, op, win, r),
                r, request);
}

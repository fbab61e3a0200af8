/* The operations with a request: what they do is done when they return. */

#include "library/calls.h"
#include "library/message/requests.h"
#include "library/window/window.h"

/* Requests are for epochs in which the program can flush what it has done. */
static int begin(const struct uno_mpi_win *win, int rank, const char *name) {
    bool fits = rank == MPI_PROC_NULL || win->epoch >= UNO_EPOCH_LOCK;
    return fits ? MPI_SUCCESS : uno_win_out_of_step(win, name);
}

static int end(int error, MPI_Request *request) {
    return error ? error : uno_request_nothing(request);
}

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
    return end(error ? error
                     : uno_mpi_get(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                                   target_count, target_datatype, win),
               request);
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
    return end(error ? error
                     : uno_mpi_get_accumulate(origin_addr, origin_count, origin_datatype, result_addr,
                                              result_count, result_datatype, target_rank, target_disp,
                                              target_count, target_datatype, op, win),
               request);
}

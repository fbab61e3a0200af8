/* The calls that get something from a target, with a request that is done when it is there; NULL: none. If
 * the target is not asked (ask.h) that is so when the call returns, and the request stays as it is. */

#ifndef UNO_MPI_REQUESTED_H
#define UNO_MPI_REQUESTED_H

#include "library/window/window.h"

int uno_win_get(void *origin_addr, MPI_Count origin_count, struct uno_mpi_type *origin_datatype,
                int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                struct uno_mpi_type *target_datatype, struct uno_mpi_win *win,
                struct uno_mpi_request *request);

int uno_win_get_accumulate(const void *origin_addr, MPI_Count origin_count,
                           struct uno_mpi_type *origin_datatype, void *result_addr, MPI_Count result_count,
                           struct uno_mpi_type *result_datatype, int target_rank, MPI_Aint target_disp,
                           MPI_Count target_count, struct uno_mpi_type *target_datatype,
                           struct uno_mpi_op *op, struct uno_mpi_win *win, struct uno_mpi_request *request);

#endif

/* The signatures of the collective operations: the detail is the low 9 bits of a number of bytes, or of
 * more than that (UNO_COMM_MARKED). */

#ifndef UNO_COLLECTIVE_OPS_H
#define UNO_COLLECTIVE_OPS_H

#include "collective/ops.def"
#include "engine/signature.h"

enum uno_op {
    UNO_MPI_FIRST = UNO_OPS_COLLECTIVE,
    UNO_MPI_NONE = UNO_MPI_FIRST - 1,
#define X(code, name) UNO_##code,
    UNO_COLLECTIVE_TABLE(X)
#undef X
        UNO_MPI_END,
    UNO_MPI_LAST = UNO_MPI_END - 1
};

/* The host may mark an operation by other properties than its bytes that must be the same at all ranks: ranks
 * whose marks differ have different signatures. */
enum { UNO_COMM_MARKED = 512 };

_Static_assert((int)UNO_MPI_END <= UNO_OPS_EXCHANGE, "the family has a range of numbers");

/* Their names: uno_mpi_name[op - UNO_MPI_FIRST] is "MPI_Barrier". */
extern const char *const uno_mpi_name[];

#endif

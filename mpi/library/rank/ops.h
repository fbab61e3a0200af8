/* The signatures of the waits of MPI's messages: UNO_SIGNATURE_MPI_RECV. */

#ifndef UNO_MPI_OPS_H
#define UNO_MPI_OPS_H

#include "engine/signature.h"
#include "library/rank/ops.def"

enum {
#define X(code, name, detail) UNO_SIGNATURE_MPI_##code = UNO_SIGNATURE(UNO_OPS_MPI, detail),
    UNO_MPI_WAITS(X)
#undef X
};

#endif

/* The signatures of the waits of MPI's messages: UNO_SIGNATURE_MPI_RECV. */

#ifndef UNO_MPI_OPS_H
#define UNO_MPI_OPS_H

#include "engine/signature.h"
#include "library/rank/ops.def"

enum {
#define X(code, name, detail) UNO_SIGNATURE_MPI_##code = UNO_SIGNATURE(UNO_OPS_TAGGED, detail),
    UNO_MPI_WAITS(X)
#undef X
};

/* The collective of a schedule: UNO_SCHEDULE_bcast. */
enum uno_schedule_of {
#define X(code, name) UNO_SCHEDULE_##code,
    UNO_MPI_SCHEDULES(X)
#undef X
        UNO_SCHEDULES
};

/* The form of the function by which the program has called for it. */
enum uno_schedule_form {
    UNO_AT_ONCE, /* MPI_Neighbor_alltoall, or MPI_Bcast of an intercommunicator */
    UNO_BEGUN,   /* MPI_Ibcast */
    UNO_MADE,    /* MPI_Bcast_init */
    UNO_FORMS
};

/* The name of that function. Returns text. */
const char *uno_schedule_name(enum uno_schedule_of of, enum uno_schedule_form form,
                              char text[UNO_SIGNATURE_TEXT]);

/* The wait for its end. Its detail is odd, and above those of the other waits. */
enum { UNO_SCHEDULE_WAITS = 65 };
static inline unsigned uno_schedule_signature(enum uno_schedule_of of, enum uno_schedule_form form) {
    return UNO_SIGNATURE(UNO_OPS_TAGGED,
                         UNO_SCHEDULE_WAITS + 2 * ((unsigned)of * UNO_FORMS + (unsigned)form));
}

#endif

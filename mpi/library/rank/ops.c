/* The names of the waits of MPI's messages: for the library, and for the launcher, which reads signatures
 * from the memory of a job. */

#include "library/rank/ops.h"

#include <stdio.h>

static const char *const any = "MPI's messages";

static void describe(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    static const char *const waits[] = {
#define X(code, call, number) [number] = call,
        UNO_MPI_WAITS(X)
#undef X
    };
    bool known = detail < sizeof waits / sizeof *waits && waits[detail];
    snprintf(text, UNO_SIGNATURE_TEXT, "%s", known ? waits[detail] : name);
}

static const struct uno_ops waits = {.first = UNO_OPS_MPI, .count = 1, .name = &any, .text = describe};
UNO_OPS_REGISTER(waits);

#define _GNU_SOURCE
#include "library/face/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "engine/fault.h"
#include "library/calls.h"

void uno_check_failed(struct uno_call *call, int class, const char *format, ...) {
    va_list arguments;
    if (call->error)
        return;
    call->error = class;
    if (!uno_rank) /* at any time: there is nobody to tell more */
        return;
    va_start(arguments, format);
    vsnprintf(uno_rank->detail, sizeof uno_rank->detail, format, arguments);
    va_end(arguments);
}

void uno_call_outside(const char *name) {
    int pe, thread, finalized;
    if (uno_self == &uno_pe_forked)
        uno_fail(uno_self, "%s was called %s", name, uno_pe_when(uno_self));
    if (uno_is_between(&pe, &thread))
        uno_fail_apart(
            uno_self,
            "PE %d: %s was called by thread %d, but only thread %d, which has called MPI_Init, may "
            "call MPI's functions",
            pe, name, (int)gettid(), thread);
    uno_mpi_finalized(&finalized);
    uno_fail_apart(uno_self, "%s was called %s", name, finalized ? "after MPI_Finalize" : "before MPI_Init");
}

void uno_call_enter(const char *name) {
    if (!uno_threads_enter())
        uno_call_outside(name);
}

int uno_call_unsupported(const char *name, const char *instead, MPI_Comm comm) {
    static const char text[] =
        "this library does not have it yet; %s%sother MPI libraries, accelerated by this one, have it: "
        "unisono mpi mpirun -n 4 ./program; see share/doc/unisono/mpi-library.md";
    const char *here = instead ? instead : "", *and = instead ? ", and " : "";
    bool entered = uno_threads_enter();
    if (!uno_rank) {
        char all[UNO_DETAIL];
        snprintf(all, sizeof all, text, here, and);
        uno_fail(uno_self, "%s: %s", name, all);
    }
    int error =
        uno_call_raise(name, uno_find_comm(comm), uno_error(MPI_ERR_UNSUPPORTED_OPERATION, text, here, and));
    if (entered)
        uno_threads_leave();
    return error;
}

/* The functions that the library of the standard's ABI has beside the standard's. */

#include "library/calls.h"
#include "library/message/messages.h"

/* The library that records calls tells where the program has called (uno_called_correct). */
__attribute__((visibility("default"))) void uno_called_from(const MPI_Request *request, const void *from);
void uno_called_from(const MPI_Request *request, const void *from) {
    uno_called_correct(request, from);
}

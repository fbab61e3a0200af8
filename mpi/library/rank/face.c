#include "library/rank/face.h"

static uintptr_t same_handle(uintptr_t handle) {
    return handle;
}

static int same(int number) {
    return number;
}

static int query(MPI_Grequest_query_function *function, void *state, MPI_Status *status) {
    return function(state, status);
}

struct uno_face uno_face = {same_handle,     same_handle,        same, same, same, same, same, query,
                            MPI_ABI_VERSION, MPI_ABI_SUBVERSION, false};

#include "library/type/address.h"

#include "library/rank/face.h"

int uno_address_check(const char *name, const void *at, MPI_Count count, const struct uno_mpi_type *type) {
    if (at == MPI_IN_PLACE)
        return uno_error(MPI_ERR_BUFFER, "%s is MPI_IN_PLACE, which has no meaning there", name);
    bool some = count > 0 && type && type->layout.size > 0;
    if (!some || uno_is_address((const char *)((uintptr_t)at + (uintptr_t)type->true_low)))
        return MPI_SUCCESS;
    if (at)
        return uno_error(MPI_ERR_BUFFER, "%s is %p, where no data can lie", name, at);
    return uno_error(MPI_ERR_BUFFER, "%s is a null pointer, and its count is %lld", name, (long long)count);
}

int uno_same_place(void) {
    return uno_face.overlaps
               ? MPI_SUCCESS
               : uno_error(MPI_ERR_BUFFER, "sendbuf and recvbuf are the same place, for which there "
                                           "is MPI_IN_PLACE");
}

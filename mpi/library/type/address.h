/* Addresses at which elements of a type lie. */

#ifndef UNO_MPI_TYPE_ADDRESS_H
#define UNO_MPI_TYPE_ADDRESS_H

#include "library/object/address.h"
#include "library/type/type.h"

/* Return MPI_ERR_BUFFER for elements at an invalid address, unless there are none, or their type contains
 * their addresses, as it may with MPI_BOTTOM. name: "sendbuf". */
int uno_address_check(const char *name, const void *at, MPI_Count count, const struct uno_mpi_type *type)
    __attribute__((cold));

/* Return MPI_ERR_BUFFER, unless the program's library lets the two be the same. */
int uno_same_place(void) __attribute__((cold));

/* Check that the elements that a rank gives itself, or combines, do not lie where it gets them: for that
 * there is MPI_IN_PLACE. From MPI_BOTTOM on, the types alone say where they lie. */
static inline int uno_places_check(const void *in, const void *out, bool some) {
    return UNO_LIKELY(in != out) || in == MPI_BOTTOM || !some ? MPI_SUCCESS : uno_same_place();
}

#endif

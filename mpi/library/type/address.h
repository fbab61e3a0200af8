/* Addresses at which elements of a type lie. */

#ifndef UNO_MPI_TYPE_ADDRESS_H
#define UNO_MPI_TYPE_ADDRESS_H

#include "library/object/address.h"
#include "library/type/type.h"

/* Return MPI_ERR_BUFFER for elements at an invalid address, unless there are none, or their type contains
 * their addresses, as it may with MPI_BOTTOM. name: "sendbuf". */
int uno_address_check(const char *name, const void *at, MPI_Count count, const struct uno_mpi_type *type)
    __attribute__((cold));

#endif

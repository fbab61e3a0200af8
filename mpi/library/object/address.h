/* Checks of addresses that the program passes. */

#ifndef UNO_MPI_ADDRESS_H
#define UNO_MPI_ADDRESS_H

#include "library/object/objects.h"

/* No data lie in the first page: so neither a null pointer nor MPI_IN_PLACE is the address of data, in any
 * ABI. */
enum { UNO_FIRST_ADDRESS = 4096 };

static inline bool uno_is_address(const void *at) {
    return (intptr_t)at >= UNO_FIRST_ADDRESS;
}

/* Return MPI_ERR_ARG for a null pointer to `count` numbers. */
static inline int uno_list_check(const char *name, const void *list, MPI_Count count) {
    return UNO_LIKELY(list || count <= 0) ? MPI_SUCCESS
                                          : uno_error(MPI_ERR_ARG, "%s is a null pointer", name);
}

/* Return MPI_ERR_ARG if `room`, a number of numbers, is negative. */
static inline int uno_room_check(const char *name, int room) {
    return UNO_LIKELY(room >= 0) ? MPI_SUCCESS : uno_error(MPI_ERR_ARG, "%s is %d", name, room);
}

#endif

/* The program gives these by address. */

#ifndef UNO_MPI_ADDRESS_H
#define UNO_MPI_ADDRESS_H

#include "library/object/objects.h"

/* No data lie in the first page: so neither a null pointer nor MPI_IN_PLACE is an address of any, in no ABI.
 */
enum { UNO_FIRST_ADDRESS = 4096 };

static inline bool uno_is_address(const void *at) {
    return (intptr_t)at >= UNO_FIRST_ADDRESS;
}

/* MPI_ERR_ARG for a null pointer where so many numbers should be. */
static inline int uno_list_check(const char *name, const void *list, MPI_Count count) {
    return UNO_LIKELY(list || count <= 0) ? MPI_SUCCESS
                                          : uno_error(MPI_ERR_ARG, "%s is a null pointer", name);
}

/* MPI_ERR_ARG for room for fewer than no numbers. */
static inline int uno_room_check(const char *name, int room) {
    return UNO_LIKELY(room >= 0) ? MPI_SUCCESS : uno_error(MPI_ERR_ARG, "%s is %d", name, room);
}

#endif

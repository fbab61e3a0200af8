#ifndef UNO_MPI_INFO_H
#define UNO_MPI_INFO_H

#include "library/object/objects.h"

struct uno_pair {
    char *key, *value;
};

struct uno_mpi_info {
    struct uno_object object;
    int pairs;
    struct uno_pair *pair; /* in the order in which they were set */
};

/* Return the info object of a handle. NULL for MPI_INFO_NULL, too. */
static inline struct uno_mpi_info *uno_find_info(MPI_Info info) {
    if (UNO_UNLIKELY(info == MPI_INFO_ENV))
        return uno_rank ? uno_rank->env : NULL;
    return uno_object_of((uintptr_t)info, UNO_INFO);
}

/* Make an info object with the pairs of another one, or without any. */
struct uno_mpi_info *uno_info_copy(const struct uno_mpi_info *info);

/* Return the value of a key; NULL: it has none, or info is NULL. */
const char *uno_info_value(const struct uno_mpi_info *info, const char *key);

#endif

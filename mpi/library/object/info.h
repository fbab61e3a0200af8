#ifndef UNO_MPI_INFO_H
#define UNO_MPI_INFO_H

#include "library/object/objects.h"

/* A new one with the pairs of another, or without. */
struct uno_mpi_info *uno_info_copy(const struct uno_mpi_info *info);

/* The value of a key; NULL: it has none, or info is NULL. */
const char *uno_info_value(const struct uno_mpi_info *info, const char *key);

/* How the program was started: what MPI_INFO_ENV names. */
struct uno_mpi_info *uno_info_env(void);

#endif

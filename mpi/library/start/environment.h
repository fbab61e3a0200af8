#ifndef UNO_MPI_ENVIRONMENT_H
#define UNO_MPI_ENVIRONMENT_H

#include "library/object/info.h"

/* Return the description of the program's start that MPI_INFO_ENV names. */
struct uno_mpi_info *uno_info_env(void);

#endif

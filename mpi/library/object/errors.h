/* The numbers of errors. */

#ifndef UNO_MPI_ERRORS_H
#define UNO_MPI_ERRORS_H

/* The last code that there is. */
int uno_error_last_used(void);

/* What a call returns whose error a handler was told of that lets it succeed: MPI_SUCCESS for the program. */
enum { UNO_HANDLED = -1 };

struct uno_mpi_comm;

/* The error that a call returns is that of a communicator which it does not name: its handler is called. */
void uno_blame(struct uno_mpi_comm *comm);

/* The name of a class, "MPI_ERR_RANK". */
const char *uno_error_name(int class);

#endif

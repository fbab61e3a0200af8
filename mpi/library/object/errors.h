/* The numbers of errors. */

#ifndef UNO_MPI_ERRORS_H
#define UNO_MPI_ERRORS_H

/* Return the last error code that exists. */
int uno_error_last_used(void);

/* Return the name of a class, "MPI_ERR_RANK". */
const char *uno_error_name(int class);

#endif

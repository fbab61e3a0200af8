/* unisono mpi: the end after an error. */

#ifndef UNO_CLI_MPI_FAILURE_H
#define UNO_CLI_MPI_FAILURE_H

/* Write an error message, and end with exit status 2. */
_Noreturn void mpi_reject(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Write an error message, and end with this exit status. */
_Noreturn void mpi_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

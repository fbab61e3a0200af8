/* unisono mpi: the end after an error. */

#ifndef UNO_CLI_MPI_FAILURE_H
#define UNO_CLI_MPI_FAILURE_H

/* The end of messages about an MPI library that is not there, or not as it is needed. */
#define MPI_WITHOUT "without another MPI library `unisono run -n 4 ./program` runs it on Unisono's own"

/* Write an error message, and end with exit status 2. */
_Noreturn void mpi_reject(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Write an error message, and end with this exit status. */
_Noreturn void mpi_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

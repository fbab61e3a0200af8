/* unisono mpi: how it ends early. */

#ifndef UNO_CLI_MPI_FAILURE_H
#define UNO_CLI_MPI_FAILURE_H

/* Say what is wrong, and end with exit status 2. */
_Noreturn void mpi_reject(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with the status. */
_Noreturn void mpi_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

/* Memory that the ranks of a file share: its shared pointer, and the window through which they exchange data
 * in collective operations (together.c). */

#ifndef UNO_MPI_FILE_MEMORY_H
#define UNO_MPI_FILE_MEMORY_H

#include "library/file/file.h"

/* Make the memory with the shared pointer, which is 0; all ranks of the file call it. */
int uno_io_memory_make(struct uno_mpi_file *file);

/* Return a window of so many bytes, the same memory for all ranks, all of which call it; NULL: there is not
 * enough memory, at all ranks, or they are on several nodes. */
char *uno_io_window(struct uno_mpi_file *file, size_t bytes);

/* Give the memory back; all ranks call it. */
void uno_io_memory_free(struct uno_mpi_file *file);

/* Move the shared pointer on, in units of etype, and return where it was. */
MPI_Offset uno_io_pointer_take(struct uno_mpi_file *file, MPI_Offset units);
MPI_Offset uno_io_pointer(struct uno_mpi_file *file);

/* Move it to a place, the same at all ranks, which all call it. */
void uno_io_pointer_set(struct uno_mpi_file *file, MPI_Offset to);

#endif

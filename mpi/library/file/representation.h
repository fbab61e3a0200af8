/* The representations of data in files: that of memory, MPI's for all machines, and those that the program
 * has registered. */

#ifndef UNO_MPI_FILE_REPRESENTATION_H
#define UNO_MPI_FILE_REPRESENTATION_H

#include "library/type/type.h"

struct uno_io_data;
struct uno_io_representation;

/* Return the representation of that name; NULL: there is none. */
const struct uno_io_representation *uno_io_representation(const char *name);
const char *uno_io_representation_name(const struct uno_io_representation *representation);

/* Return true if data are in the file as they are in memory. */
bool uno_io_is_native(const struct uno_io_representation *representation);

/* Find the bytes of an element's data in the file, or its extent there. */
int uno_io_size(const struct uno_io_representation *representation, struct uno_mpi_type *type,
                MPI_Count *size);
int uno_io_extent(const struct uno_io_representation *representation, struct uno_mpi_type *type,
                  MPI_Count *extent);

/* Convert the data to the bytes of the file; or, if they are read, the first `elements` elements from those.
 */
int uno_io_convert(const struct uno_io_representation *representation, const struct uno_io_data *data,
                   void *bytes, MPI_Count elements);

/* Free what the program has registered, at the end of the rank. */
void uno_io_representations_end(void);

#endif

/* Data types: runs of bytes of one element, in the order of its data, and their copies to and from packed
 * bytes. */

#ifndef UNO_MPI_DATATYPE_H
#define UNO_MPI_DATATYPE_H

#include "library/objects.h"

/* As struct uno_layout's. */
void uno_type_pack(const struct uno_layout *layout, const void *in, size_t count, void *bytes);
void uno_type_unpack(const struct uno_layout *layout, const void *bytes, size_t count, void *out);

/* The first `bytes` bytes of packed elements, of which the last may be a part. */
void uno_type_unpack_part(const struct uno_mpi_type *type, const void *bytes, size_t size, void *out);

/* Fill in what follows from runs and bounds. */
void uno_type_settle(struct uno_mpi_type *type);

/* What is to be put together: `count` elements of a type from a place on. */
struct uno_part {
    MPI_Count at, count;
    const struct uno_mpi_type *type;
};

/* A type of these parts, in their order. Its bounds are those of the parts. NULL: it is too large. */
struct uno_mpi_type *uno_type_of(size_t parts, const struct uno_part *part);

#endif

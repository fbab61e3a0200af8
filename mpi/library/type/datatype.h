/* The making of data types, with their bounds and the pattern of their data, by which they are copied to and
 * from packed bytes. */

#ifndef UNO_MPI_DATATYPE_H
#define UNO_MPI_DATATYPE_H

#include "library/type/type.h"

/* The pack and unpack functions of struct uno_layout. */
void uno_type_pack(const struct uno_layout *layout, const void *in, size_t count, void *bytes);
void uno_type_unpack(const struct uno_layout *layout, const void *bytes, size_t count, void *out);

/* The first `size` bytes of packed elements, of which the last may be a part. */
void uno_type_unpack_part(const struct uno_mpi_type *type, const void *bytes, size_t size, void *out);

/* ---- making ------------------------------------------------------------------------------------------ */

/* A type of the combiner, with room for its contents: `numbers` numbers, then `addresses` of them, then
 * types. In the large form all numbers and addresses are large counts. NULL: there is no memory. */
struct uno_mpi_type *uno_type_begin(int combiner, bool large, MPI_Count numbers, MPI_Count addresses,
                                    MPI_Count types);

/* Set the next number or address of its contents, in their order, to what *k counts; or some of them. */
void uno_type_put(struct uno_mpi_type *type, MPI_Count *k, MPI_Count number);
void uno_type_put_all(struct uno_mpi_type *type, MPI_Count *k, struct uno_numbers numbers, MPI_Count n);

/* Free the type's memory. */
void uno_type_release(void *object);

/* Find its bounds and pattern. False: it is too large, or there is no memory. */
bool uno_type_settle(struct uno_mpi_type *type);

/* Give it bounds of the program's. */
void uno_type_bound(struct uno_mpi_type *type, MPI_Count low, MPI_Count extent);

/* A type of one other, settled; NULL: it cannot be. For types that are parts of a program's type. */
struct uno_mpi_type *uno_type_vector(MPI_Count count, MPI_Count length, MPI_Count step,
                                     struct uno_mpi_type *of);

#endif

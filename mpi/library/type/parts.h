/* The parts of a type, in the order of its data, as its contents describe them. */

#ifndef UNO_MPI_PARTS_H
#define UNO_MPI_PARTS_H

#include "library/type/type.h"

/* Return number k of the contents: of the integers and the addresses after them, or of the large counts. */
static inline MPI_Count uno_contents_number(const struct uno_contents *c, MPI_Count k) {
    return c->counts ? c->count[k] : k < c->integers ? c->integer[k] : c->address[k - c->integers];
}

/* Return the number of parts; 0 for a basic type. */
MPI_Count uno_type_parts(const struct uno_mpi_type *type);

struct uno_part uno_type_part(const struct uno_mpi_type *type, MPI_Count i);

/* Return true if all parts have equally many elements of the same type. */
bool uno_type_parts_equal(const struct uno_mpi_type *type);

/* Return the whole basic elements among the first *bytes bytes of its packed data; *bytes becomes the rest of
 * those bytes. */
MPI_Count uno_type_elements_in(const struct uno_mpi_type *type, MPI_Count *bytes);

/* Return the bytes of the first `elements` basic elements, which may be more than one element of the type
 * has. */
MPI_Count uno_type_bytes_of(const struct uno_mpi_type *type, MPI_Count elements);

/* A function that is called with `count` elements of a basic type, at an address. */
typedef void uno_basic_visit(void *context, const struct uno_mpi_type *basic, char *at, MPI_Count count);

/* Visit all basic elements of `count` elements at an address, in the order of the data. */
void uno_type_visit(const struct uno_mpi_type *type, char *at, MPI_Count count, uno_basic_visit *visit,
                    void *context);

#endif

/* The contents of a data type: its constructor and arguments, which a program can ask for. */

#include <string.h>

#include "library/calls.h"
#include "library/object/address.h"
#include "library/type/type.h"

int uno_mpi_type_get_envelope_c(struct uno_mpi_type *datatype, MPI_Count *num_integers,
                                MPI_Count *num_addresses, MPI_Count *num_large_counts,
                                MPI_Count *num_datatypes, int *combiner) {
    const struct uno_contents *c = &datatype->contents;
    *num_integers = c->integers;
    *num_addresses = c->addresses;
    *num_large_counts = c->counts;
    *num_datatypes = c->types;
    *combiner = c->combiner;
    return MPI_SUCCESS;
}

static int not_small(void) {
    return uno_error(MPI_ERR_TYPE,
                     "the type was made with large counts, of which only the form that ends in _c tells");
}

int uno_mpi_type_get_envelope(struct uno_mpi_type *datatype, int *num_integers, int *num_addresses,
                              int *num_datatypes, int *combiner) {
    const struct uno_contents *c = &datatype->contents;
    if (c->counts)
        return not_small();
    *num_integers = (int)c->integers;
    *num_addresses = (int)c->addresses;
    *num_datatypes = (int)c->types;
    *combiner = c->combiner;
    return MPI_SUCCESS;
}

/* Copy n items, for which there is room for `most` at array_of_`what`. */
static int give(void *to, const void *from, size_t size, MPI_Count n, MPI_Count most, const char *what) {
    if (n > most)
        return uno_error(MPI_ERR_ARG, "there is room for %lld %s, and the type has %lld", (long long)most,
                         what, (long long)n);
    if (n && !to)
        return uno_error(MPI_ERR_ARG, "array_of_%s is a null pointer, and the type has %lld", what,
                         (long long)n);
    if (n)
        memcpy(to, from, (size_t)n * size);
    return MPI_SUCCESS;
}

int uno_mpi_type_get_contents_c(struct uno_mpi_type *datatype, MPI_Count max_integers,
                                MPI_Count max_addresses, MPI_Count max_large_counts, MPI_Count max_datatypes,
                                int array_of_integers[], MPI_Aint array_of_addresses[],
                                MPI_Count array_of_large_counts[], MPI_Datatype array_of_datatypes[]) {
    const struct uno_contents *c = &datatype->contents;
    if (c->combiner == MPI_COMBINER_NAMED)
        return uno_error(MPI_ERR_TYPE, "predefined types have no contents");
    int error =
        give(array_of_integers, c->integer, sizeof *c->integer, c->integers, max_integers, "integers");
    if (!error)
        error = give(array_of_addresses, c->address, sizeof *c->address, c->addresses, max_addresses,
                     "addresses");
    if (!error)
        error = give(array_of_large_counts, c->count, sizeof *c->count, c->counts, max_large_counts,
                     "large_counts");
    if (!error && c->types > max_datatypes)
        error = uno_error(MPI_ERR_ARG, "there is room for %lld types, and the type has %lld",
                          (long long)max_datatypes, (long long)c->types);
    if (!error)
        error = uno_list_check("array_of_datatypes", array_of_datatypes, c->types);
    for (MPI_Count i = 0; i < c->types && !error; i++) {
        struct uno_mpi_type *type = c->type[i]->stays ? c->type[i] : uno_object_hold(c->type[i]);
        array_of_datatypes[i] = (MPI_Datatype)type->object.handle;
    }
    return error;
}

int uno_mpi_type_get_contents(struct uno_mpi_type *datatype, int max_integers, int max_addresses,
                              int max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[],
                              MPI_Datatype array_of_datatypes[]) {
    if (datatype->contents.counts)
        return not_small();
    return uno_mpi_type_get_contents_c(datatype, max_integers, max_addresses, 0, max_datatypes,
                                       array_of_integers, array_of_addresses, NULL, array_of_datatypes);
}

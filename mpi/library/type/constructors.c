/* The functions that make data types of others, except for arrays (arrays.c). Each keeps the program's
 * arguments as the contents of the type, from which everything else follows (datatype.h). */

#include <stdlib.h>

#include "library/calls.h"
#include "library/object/attributes.h"
#include "library/type/datatype.h"
#include "library/type/predefined.h"

/* Finish the type and give the program its handle. NULL: memory is short. */
static int give(struct uno_mpi_type *made, MPI_Datatype *newtype) {
    if (!made || !uno_type_settle(made)) {
        uno_object_drop(made);
        return uno_error(MPI_ERR_NO_MEM, "the type has too many pieces for this machine's memory");
    }
    *newtype = (MPI_Datatype)made->object.handle;
    return MPI_SUCCESS;
}

/* Begin a type that consists of one other type. */
static struct uno_mpi_type *begin(int combiner, bool large, MPI_Count numbers, MPI_Count addresses,
                                  struct uno_mpi_type *oldtype) {
    struct uno_mpi_type *made = uno_type_begin(combiner, large, numbers, addresses, 1);
    if (made)
        made->contents.type[0] = uno_object_hold(oldtype);
    return made;
}

/* ---- equal parts ------------------------------------------------------------------------------------- */

int uno_mpi_type_contiguous(MPI_Count count, struct uno_mpi_type *oldtype, MPI_Datatype *newtype,
                            bool large) {
    struct uno_mpi_type *made = begin(MPI_COMBINER_CONTIGUOUS, large, 1, 0, oldtype);
    MPI_Count k = 0;
    if (made)
        uno_type_put(made, &k, count);
    return give(made, newtype);
}

static int vector(struct uno_mpi_type *made, MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                  MPI_Datatype *newtype) {
    MPI_Count k = 0;
    if (made) {
        uno_type_put(made, &k, count);
        uno_type_put(made, &k, blocklength);
        uno_type_put(made, &k, stride);
    }
    return give(made, newtype);
}

int uno_mpi_type_vector(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                        struct uno_mpi_type *oldtype, MPI_Datatype *newtype, bool large) {
    return vector(begin(MPI_COMBINER_VECTOR, large, 3, 0, oldtype), count, blocklength, stride, newtype);
}

int uno_mpi_type_create_hvector(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                                struct uno_mpi_type *oldtype, MPI_Datatype *newtype, bool large) {
    return vector(begin(MPI_COMBINER_HVECTOR, large, 2, 1, oldtype), count, blocklength, stride, newtype);
}

/* ---- parts wherever they are --------------------------------------------------------------------------- */

/* Check the number of elements of a block. */
static int check_length(struct uno_numbers lengths, MPI_Count i) {
    MPI_Count n = uno_number(lengths, i);
    return n >= 0 ? MPI_SUCCESS
                  : uno_error(MPI_ERR_COUNT, "block %lld has %lld elements", (long long)i, (long long)n);
}

static int check_lengths(struct uno_numbers lengths, MPI_Count count) {
    int error = MPI_SUCCESS;
    for (MPI_Count i = 0; i < count && !error; i++)
        error = check_length(lengths, i);
    return error;
}

static int indexed(struct uno_mpi_type *made, MPI_Count count, struct uno_numbers lengths,
                   struct uno_numbers displacements, MPI_Datatype *newtype) {
    MPI_Count k = 0;
    if (made) {
        uno_type_put(made, &k, count);
        uno_type_put_all(made, &k, lengths, count);
        uno_type_put_all(made, &k, displacements, count);
    }
    return give(made, newtype);
}

int uno_mpi_type_indexed(MPI_Count count, struct uno_numbers array_of_blocklengths,
                         struct uno_numbers array_of_displacements, struct uno_mpi_type *oldtype,
                         MPI_Datatype *newtype, bool large) {
    int error = check_lengths(array_of_blocklengths, count);
    return error ? error
                 : indexed(begin(MPI_COMBINER_INDEXED, large, 1 + 2 * count, 0, oldtype), count,
                           array_of_blocklengths, array_of_displacements, newtype);
}

int uno_mpi_type_create_hindexed(MPI_Count count, struct uno_numbers array_of_blocklengths,
                                 const MPI_Count array_of_displacements[], struct uno_mpi_type *oldtype,
                                 MPI_Datatype *newtype, bool large) {
    int error = check_lengths(array_of_blocklengths, count);
    return error
               ? error
               : indexed(begin(MPI_COMBINER_HINDEXED, large, 1 + count, count, oldtype), count,
                         array_of_blocklengths, (struct uno_numbers){array_of_displacements, true}, newtype);
}

static int blocks(struct uno_mpi_type *made, MPI_Count count, MPI_Count blocklength,
                  struct uno_numbers displacements, MPI_Datatype *newtype) {
    MPI_Count k = 0;
    if (made) {
        uno_type_put(made, &k, count);
        uno_type_put(made, &k, blocklength);
        uno_type_put_all(made, &k, displacements, count);
    }
    return give(made, newtype);
}

int uno_mpi_type_create_indexed_block(MPI_Count count, MPI_Count blocklength,
                                      struct uno_numbers array_of_displacements, struct uno_mpi_type *oldtype,
                                      MPI_Datatype *newtype, bool large) {
    return blocks(begin(MPI_COMBINER_INDEXED_BLOCK, large, 2 + count, 0, oldtype), count, blocklength,
                  array_of_displacements, newtype);
}

int uno_mpi_type_create_hindexed_block(MPI_Count count, MPI_Count blocklength,
                                       const MPI_Count array_of_displacements[], struct uno_mpi_type *oldtype,
                                       MPI_Datatype *newtype, bool large) {
    return blocks(begin(MPI_COMBINER_HINDEXED_BLOCK, large, 2, count, oldtype), count, blocklength,
                  (struct uno_numbers){array_of_displacements, true}, newtype);
}

/* Round a structure's extent up to the alignment of its members, as in C, if the program has set no
 * bounds. */
static void round_up(struct uno_mpi_type *t) {
    MPI_Count over = t->layout.extent % t->alignment;
    if (over && !t->low_set && !t->high_set) {
        t->layout.extent += t->alignment - over;
        t->layout.plain = false;
    }
}

int uno_mpi_type_create_struct(MPI_Count count, struct uno_numbers array_of_blocklengths,
                               const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[],
                               MPI_Datatype *newtype, bool large) {
    int error = MPI_SUCCESS;
    for (MPI_Count i = 0; i < count && !error; i++) {
        error = check_length(array_of_blocklengths, i);
        if (!error && !uno_find_type(array_of_types[i]))
            error = uno_error(MPI_ERR_TYPE, "array_of_types[%lld] is no data type", (long long)i);
    }
    if (error)
        return error;
    struct uno_mpi_type *made = uno_type_begin(MPI_COMBINER_STRUCT, large, 1 + count, count, count);
    for (MPI_Count i = 0; made && i < count; i++)
        made->contents.type[i] = uno_object_hold(uno_find_type(array_of_types[i]));
    error = indexed(made, count, array_of_blocklengths, (struct uno_numbers){array_of_displacements, true},
                    newtype);
    if (!error)
        round_up(made);
    return error;
}

/* ---- copies, and the rest of a type's life ---------------------------------------------------------------
 */

int uno_mpi_type_create_resized(struct uno_mpi_type *oldtype, MPI_Count lb, MPI_Count extent,
                                MPI_Datatype *newtype, bool large) {
    struct uno_mpi_type *made = begin(MPI_COMBINER_RESIZED, large, 0, 2, oldtype);
    MPI_Count k = 0;
    if (made) {
        uno_type_put(made, &k, lb);
        uno_type_put(made, &k, extent);
    }
    int error = give(made, newtype);
    if (!error)
        uno_type_bound(made, lb, extent);
    return error;
}

int uno_mpi_type_dup(struct uno_mpi_type *oldtype, MPI_Datatype *newtype) {
    struct uno_mpi_type *made = begin(MPI_COMBINER_DUP, false, 0, 0, oldtype);
    int error = give(made, newtype);
    if (error)
        return error;
    made->committed = oldtype->committed;
    error = uno_attributes_copy(&uno_type_own(oldtype)->object, &made->object);
    if (error) {
        uno_object_drop(made);
        *newtype = MPI_DATATYPE_NULL;
    }
    return error;
}

int uno_mpi_type_commit(MPI_Datatype *datatype) {
    struct uno_mpi_type *type = uno_find_type(*datatype);
    if (!type)
        return uno_error(MPI_ERR_TYPE, "datatype is no data type");
    if (!type->committed)
        type->committed = true;
    return MPI_SUCCESS;
}

int uno_mpi_type_free(MPI_Datatype *datatype) {
    struct uno_mpi_type *type = uno_find_type(*datatype);
    if (!type || type->stays || uno_type_is_predefined(type))
        return uno_error(MPI_ERR_TYPE, "datatype is %s", type ? "predefined, and stays" : "no data type");
    uno_object_drop(type);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

/* The functions that make data types, each from parts of another (datatype.h). */

#include <stdlib.h>

#include "library/attributes.h"
#include "library/calls.h"
#include "library/predefined.h"

static int give(struct uno_mpi_type *made, MPI_Datatype *newtype) {
    if (!made)
        return uno_error(MPI_ERR_NO_MEM, "the type has too many pieces for this machine's memory");
    *newtype = (MPI_Datatype)made->object.handle;
    return MPI_SUCCESS;
}

/* Room for parts. NULL: there is none. */
static struct uno_part *parts_room(MPI_Count count) {
    return calloc((size_t)count + 1, sizeof(struct uno_part));
}

static int give_parts(MPI_Count count, struct uno_part *part, MPI_Datatype *newtype) {
    struct uno_mpi_type *made = part ? uno_type_of((size_t)count, part) : NULL;
    free(part);
    return give(made, newtype);
}

/* ---- equal parts ------------------------------------------------------------------------------------- */

int uno_mpi_type_contiguous(MPI_Count count, struct uno_mpi_type *oldtype, MPI_Datatype *newtype) {
    return give(uno_type_of(1, &(struct uno_part){0, count, oldtype}), newtype);
}

static int vector(MPI_Count count, MPI_Count blocklength, MPI_Count step, struct uno_mpi_type *oldtype,
                  MPI_Datatype *newtype) {
    struct uno_part *part = parts_room(count);
    for (MPI_Count i = 0; part && i < count; i++)
        part[i] = (struct uno_part){i * step, blocklength, oldtype};
    return give_parts(count, part, newtype);
}

int uno_mpi_type_vector(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                        struct uno_mpi_type *oldtype, MPI_Datatype *newtype) {
    return vector(count, blocklength, stride * oldtype->layout.extent, oldtype, newtype);
}

int uno_mpi_type_create_hvector(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                                struct uno_mpi_type *oldtype, MPI_Datatype *newtype) {
    return vector(count, blocklength, stride, oldtype, newtype);
}

/* ---- parts wherever they are --------------------------------------------------------------------------- */

/* lengths: of each part, or where that is NULL `length`; step: bytes of a displacement. */
static int indexed(MPI_Count count, const struct uno_numbers *lengths, MPI_Count length,
                   struct uno_numbers displacements, MPI_Count step, struct uno_mpi_type *oldtype,
                   MPI_Datatype *newtype) {
    struct uno_part *part = parts_room(count);
    for (int i = 0; part && i < count; i++) {
        MPI_Count n = lengths ? uno_number(*lengths, i) : length;
        if (n < 0) {
            free(part);
            return uno_error(MPI_ERR_COUNT, "block %d has %lld elements", i, (long long)n);
        }
        part[i] = (struct uno_part){uno_number(displacements, i) * step, n, oldtype};
    }
    return give_parts(count, part, newtype);
}

int uno_mpi_type_indexed(MPI_Count count, struct uno_numbers array_of_blocklengths,
                         struct uno_numbers array_of_displacements, struct uno_mpi_type *oldtype,
                         MPI_Datatype *newtype) {
    return indexed(count, &array_of_blocklengths, 0, array_of_displacements, oldtype->layout.extent, oldtype,
                   newtype);
}

int uno_mpi_type_create_hindexed(MPI_Count count, struct uno_numbers array_of_blocklengths,
                                 const MPI_Count array_of_displacements[], struct uno_mpi_type *oldtype,
                                 MPI_Datatype *newtype) {
    struct uno_numbers displacements = {array_of_displacements, true};
    return indexed(count, &array_of_blocklengths, 0, displacements, 1, oldtype, newtype);
}

int uno_mpi_type_create_indexed_block(MPI_Count count, MPI_Count blocklength,
                                      struct uno_numbers array_of_displacements, struct uno_mpi_type *oldtype,
                                      MPI_Datatype *newtype) {
    return indexed(count, NULL, blocklength, array_of_displacements, oldtype->layout.extent, oldtype,
                   newtype);
}

int uno_mpi_type_create_hindexed_block(MPI_Count count, MPI_Count blocklength,
                                       const MPI_Count array_of_displacements[], struct uno_mpi_type *oldtype,
                                       MPI_Datatype *newtype) {
    struct uno_numbers displacements = {array_of_displacements, true};
    return indexed(count, NULL, blocklength, displacements, 1, oldtype, newtype);
}

/* A structure's extent is a multiple of the alignment of its members, as in C. */
static void round_up(struct uno_mpi_type *t) {
    MPI_Count over = t->layout.extent % t->alignment;
    if (over)
        t->layout.extent += t->alignment - over;
    uno_type_settle(t);
}

int uno_mpi_type_create_struct(MPI_Count count, struct uno_numbers array_of_blocklengths,
                               const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[],
                               MPI_Datatype *newtype) {
    struct uno_part *part = parts_room(count);
    for (int i = 0; part && i < count; i++) {
        struct uno_mpi_type *of = uno_find_type(array_of_types[i]);
        MPI_Count n = uno_number(array_of_blocklengths, i);
        part[i] = (struct uno_part){array_of_displacements[i], n, of};
        if (of && n >= 0)
            continue;
        free(part);
        return of ? uno_error(MPI_ERR_COUNT, "block %d has %lld elements", i, (long long)n)
                  : uno_error(MPI_ERR_TYPE, "array_of_types[%d] is no data type", i);
    }
    int error = give_parts(count, part, newtype);
    if (!error)
        round_up(uno_find_type(*newtype));
    return error;
}

/* ---- arrays ------------------------------------------------------------------------------------------ */

/* A part of an array of `dims` dimensions, whose fastest dimension is `fast` and whose slowest one is the
 * last of the walk in steps of `way`. */
static struct uno_mpi_type *subarray(int dims, struct uno_numbers sizes, struct uno_numbers subsizes,
                                     struct uno_numbers starts, int fast, int way,
                                     struct uno_mpi_type *oldtype) {
    MPI_Count extent = oldtype->layout.extent, whole = 1, at = 0;
    struct uno_mpi_type *made = uno_object_hold(oldtype);
    for (int d = 0, i = fast; d < dims && made; d++, i += way) {
        MPI_Count n = uno_number(subsizes, i), step = whole * extent;
        struct uno_part *part = parts_room(n);
        for (MPI_Count k = 0; part && k < n; k++)
            part[k] = (struct uno_part){k * step, 1, made};
        struct uno_mpi_type *inner = made;
        made = part ? uno_type_of((size_t)n, part) : NULL;
        free(part);
        uno_object_drop(inner);
        at += uno_number(starts, i) * step;
        whole *= uno_number(sizes, i);
    }
    if (!made)
        return NULL;
    struct uno_mpi_type *placed = uno_type_of(1, &(struct uno_part){at, 1, made});
    uno_object_drop(made);
    if (placed) {
        placed->low = 0;
        placed->layout.extent = whole * extent;
        placed->alignment = 1;
        uno_type_settle(placed);
    }
    return placed;
}

int uno_mpi_type_create_subarray(int ndims, struct uno_numbers array_of_sizes,
                                 struct uno_numbers array_of_subsizes, struct uno_numbers array_of_starts,
                                 int order, struct uno_mpi_type *oldtype, MPI_Datatype *newtype) {
    if (ndims < 1)
        return uno_error(MPI_ERR_ARG, "ndims is %d; an array has at least one dimension", ndims);
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
        return uno_error(MPI_ERR_ARG, "order is %d; it is MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
    for (int i = 0; i < ndims; i++) {
        MPI_Count size = uno_number(array_of_sizes, i), part = uno_number(array_of_subsizes, i);
        MPI_Count start = uno_number(array_of_starts, i);
        if (size < 1 || part < 1 || part > size || start < 0 || start > size - part)
            return uno_error(MPI_ERR_ARG,
                             "dimension %d has %lld elements, of which %lld from %lld on are asked for", i,
                             (long long)size, (long long)part, (long long)start);
    }
    bool c = order == MPI_ORDER_C;
    return give(subarray(ndims, array_of_sizes, array_of_subsizes, array_of_starts, c ? ndims - 1 : 0,
                         c ? -1 : 1, oldtype),
                newtype);
}

/* ---- copies, and the rest of a type's life ---------------------------------------------------------------
 */

int uno_mpi_type_create_resized(struct uno_mpi_type *oldtype, MPI_Count lb, MPI_Count extent,
                                MPI_Datatype *newtype) {
    struct uno_mpi_type *made = uno_type_of(1, &(struct uno_part){0, 1, oldtype});
    if (made) {
        made->low = lb;
        made->layout.extent = extent;
        made->alignment = 1;
        uno_type_settle(made);
    }
    return give(made, newtype);
}

int uno_mpi_type_dup(struct uno_mpi_type *oldtype, MPI_Datatype *newtype) {
    struct uno_mpi_type *made = uno_type_of(1, &(struct uno_part){0, 1, oldtype});
    if (!made)
        return give(made, newtype);
    made->committed = oldtype->committed;
    int error = uno_attributes_copy(&oldtype->object, &made->object);
    if (error) {
        uno_object_drop(made);
        *newtype = MPI_DATATYPE_NULL;
        return error;
    }
    return give(made, newtype);
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
    if (!type || uno_type_is_predefined(type))
        return uno_error(MPI_ERR_TYPE, "datatype is %s", type ? "predefined, and stays" : "no data type");
    uno_object_drop(type);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}

#include "library/type/parts.h"

static bool vector(const struct uno_mpi_type *t) {
    return t->contents.combiner == MPI_COMBINER_VECTOR || t->contents.combiner == MPI_COMBINER_HVECTOR;
}

MPI_Count uno_type_parts(const struct uno_mpi_type *t) {
    const struct uno_contents *c = &t->contents;
    if (t->part)
        return t->parts;
    switch (c->combiner) {
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
        return uno_contents_number(c, 0);
    default:
        return c->types; /* of one other, or of none */
    }
}

struct uno_part uno_type_part(const struct uno_mpi_type *t, MPI_Count i) {
    const struct uno_contents *c = &t->contents;
    if (t->part)
        return t->part[i];
    struct uno_mpi_type *of = c->type[0];
    MPI_Count n = uno_type_parts(t), extent = of->layout.extent;
    switch (c->combiner) {
    case MPI_COMBINER_CONTIGUOUS:
        return (struct uno_part){0, uno_contents_number(c, 0), of};
    case MPI_COMBINER_VECTOR:
        return (struct uno_part){i * uno_contents_number(c, 2) * extent, uno_contents_number(c, 1), of};
    case MPI_COMBINER_HVECTOR:
        return (struct uno_part){i * uno_contents_number(c, 2), uno_contents_number(c, 1), of};
    case MPI_COMBINER_INDEXED:
        return (struct uno_part){uno_contents_number(c, 1 + n + i) * extent, uno_contents_number(c, 1 + i),
                                 of};
    case MPI_COMBINER_HINDEXED:
        return (struct uno_part){uno_contents_number(c, 1 + n + i), uno_contents_number(c, 1 + i), of};
    case MPI_COMBINER_INDEXED_BLOCK:
        return (struct uno_part){uno_contents_number(c, 2 + i) * extent, uno_contents_number(c, 1), of};
    case MPI_COMBINER_HINDEXED_BLOCK:
        return (struct uno_part){uno_contents_number(c, 2 + i), uno_contents_number(c, 1), of};
    case MPI_COMBINER_STRUCT:
        return (struct uno_part){uno_contents_number(c, 1 + n + i), uno_contents_number(c, 1 + i),
                                 c->type[i]};
    default:
        return (struct uno_part){0, 1, of};
    }
}

bool uno_type_parts_equal(const struct uno_mpi_type *t) {
    int combiner = t->contents.combiner;
    return vector(t) || combiner == MPI_COMBINER_INDEXED_BLOCK || combiner == MPI_COMBINER_HINDEXED_BLOCK;
}

/* ---- basic elements ------------------------------------------------------------------------------------ */

MPI_Count uno_type_elements_in(const struct uno_mpi_type *t, MPI_Count *bytes) {
    MPI_Count size = (MPI_Count)t->layout.size, whole = size ? *bytes / size : 0, n = whole * t->elements;
    *bytes -= whole * size;
    for (MPI_Count i = 0; i < uno_type_parts(t) && *bytes; i++) {
        struct uno_part part = uno_type_part(t, i);
        MPI_Count of_part = part.count * (MPI_Count)part.type->layout.size;
        if (of_part && i == 0 && uno_type_parts_equal(t)) {
            i = *bytes / of_part;
            n += i * part.count * part.type->elements;
            *bytes -= i * of_part;
        }
        if (*bytes < of_part)
            return n + uno_type_elements_in(part.type, bytes);
        n += part.count * part.type->elements;
        *bytes -= of_part;
    }
    return n;
}

MPI_Count uno_type_bytes_of(const struct uno_mpi_type *t, MPI_Count elements) {
    MPI_Count whole = t->elements ? elements / t->elements : 0, bytes = whole * (MPI_Count)t->layout.size;
    elements -= whole * t->elements;
    for (MPI_Count i = 0; i < uno_type_parts(t) && elements; i++) {
        struct uno_part part = uno_type_part(t, i);
        MPI_Count of_part = part.count * part.type->elements;
        if (elements < of_part)
            return bytes + uno_type_bytes_of(part.type, elements);
        elements -= of_part;
        bytes += part.count * (MPI_Count)part.type->layout.size;
    }
    return bytes;
}

void uno_type_visit(const struct uno_mpi_type *t, char *at, MPI_Count count, uno_basic_visit *visit,
                    void *context) {
    MPI_Count parts = uno_type_parts(t);
    if (!parts && t->elements) {
        visit(context, t, at, count);
        return;
    }
    for (MPI_Count k = 0; k < count; k++, at += t->layout.extent)
        for (MPI_Count i = 0; i < parts; i++) {
            struct uno_part part = uno_type_part(t, i);
            uno_type_visit(part.type, at + part.at, part.count, visit, context);
        }
}

/* Data types: what the program has made them of, their bounds, and the pattern of their data. */

#ifndef UNO_MPI_TYPE_H
#define UNO_MPI_TYPE_H

#include "collective/data.h"
#include "library/object/objects.h"
#include "library/type/pattern.h"

/* `count` elements of a type from a place on. */
struct uno_part {
    MPI_Count at, count;
    struct uno_mpi_type *type;
};

/* The program's construction of a type, as MPI_Type_get_envelope and MPI_Type_get_contents report it. */
struct uno_contents {
    int combiner;
    MPI_Count integers, addresses, counts, types; /* how many there are of each */
    int *integer;
    MPI_Aint *address;
    MPI_Count *count; /* of the large forms */
    struct uno_mpi_type **type;
};

struct uno_mpi_type {
    struct uno_object object;
    struct uno_layout layout; /* what the collectives know of it */
    MPI_Count low, true_low;  /* lower bounds */
    int alignment;            /* to a multiple of which a structure's extent is rounded up */
    bool committed;
    bool low_set, high_set; /* a bound, or that of a part, was set by the program */
    bool stays;             /* the program cannot free it, although it is not among the predefined ones */
    MPI_Count elements;     /* basic ones of one element */
    uint32_t sequence;      /* of the basic types (type/sequence.h), */
    unsigned mark;          /* and the mark by which they are compared */
    struct uno_pattern pattern;
    void *lists; /* of the pattern; or NULL */
    struct uno_contents contents;
    struct uno_part *part; /* of which it is made; NULL: its contents tell (parts.h) */
    int parts;
    const struct uno_mpi_type *same; /* the predefined type that it is by another name, or NULL */
    char name[MPI_MAX_OBJECT_NAME];
};

#endif

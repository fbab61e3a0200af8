/* The pattern of an element's data in memory, as loops and lists, and its copies to and from packed bytes. */

#ifndef UNO_MPI_PATTERN_H
#define UNO_MPI_PATTERN_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* A run of bytes. */
struct uno_segment {
    MPI_Count at, bytes;
};

enum uno_pattern_kind {
    UNO_RUN,    /* bytes that follow each other */
    UNO_LOOP,   /* `count` times another pattern, every `step` bytes */
    UNO_SPOTS,  /* `count` runs of `block` bytes each, wherever they are */
    UNO_BLOCKS, /* `count` runs of different lengths */
    UNO_LIST,   /* `count` patterns of any kind */
};

/* A pattern has no more memory than what its lists name, so one of millions of pieces in a loop has none.
 * What it points to belongs to the type that it is of, or to one that this type is made of. */
struct uno_pattern {
    enum uno_pattern_kind kind;
    MPI_Count at;    /* where it begins, from the address of the element on */
    MPI_Count bytes; /* of its data */
    MPI_Count count;
    union {
        MPI_Count step, block;
    };
    union {
        const struct uno_pattern *of; /* in the loop, or in the list */
        const MPI_Count *spot;
        const struct uno_segment *run;
    };
};

/* `count` times a pattern, which stays where it is. */
struct uno_pattern uno_pattern_repeat(MPI_Count count, MPI_Count step, const struct uno_pattern *of);

/* Copy the first `bytes` bytes of the data of a pattern that begins at an address: into packed bytes, or
 * back. */
void uno_pattern_pack(const struct uno_pattern *pattern, const void *memory, MPI_Count bytes, void *packed);
void uno_pattern_unpack(const struct uno_pattern *pattern, void *memory, MPI_Count bytes, const void *packed);

#endif

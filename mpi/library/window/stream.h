/* Elements of any type as what they are made of: a stream of basic elements that follow each other, each with
 * as many bytes as it takes in memory; and the runs of memory in which they lie. Two types of which data may
 * be copied to each other have the same stream. */

#ifndef UNO_MPI_STREAM_H
#define UNO_MPI_STREAM_H

#include "library/type/type.h"

/* A run of memory, from the address of the first element on. */
struct uno_run {
    MPI_Count at;
    size_t bytes;
};

struct uno_runs {
    struct uno_run *run;
    size_t count, room;
    size_t bytes;                     /* of all */
    const struct uno_mpi_type *basic; /* that all are made of; NULL: there are none, or of several */
    bool mixed;
    struct uno_run only; /* where one is enough */
};

/* Find the runs of `count` elements. They are freed by uno_runs_free. */
void uno_runs_of(struct uno_runs *runs, MPI_Count count, const struct uno_mpi_type *type);
void uno_runs_free(struct uno_runs *runs);

/* Leave only the first `bytes` bytes. */
void uno_runs_cut(struct uno_runs *runs, size_t bytes);

/* The stream of elements at an address: the elements themselves, where they are one run. */
struct uno_stream {
    char *bytes;
    void *memory; /* or NULL */
    struct uno_runs runs;
    char *at; /* where the elements are */
};

/* Open a stream of elements that are there, or of some that will be filled in. */
void uno_stream_in(struct uno_stream *stream, const void *at, MPI_Count count,
                   const struct uno_mpi_type *type);
void uno_stream_out(struct uno_stream *stream, void *at, MPI_Count count, const struct uno_mpi_type *type);

/* Copy the first `bytes` bytes of the stream to its elements. */
void uno_stream_fill(const struct uno_stream *stream, size_t bytes);

void uno_stream_free(struct uno_stream *stream);

#endif

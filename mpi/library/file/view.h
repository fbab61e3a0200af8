/* The view that a rank has of a file: the places of its data, one after the other, as a type says it again
 * and again from a displacement on. */

#ifndef UNO_MPI_FILE_VIEW_H
#define UNO_MPI_FILE_VIEW_H

#include "library/type/runs.h"
#include "library/type/type.h"

struct uno_io_representation;

static inline MPI_Count uno_io_least(MPI_Count a, MPI_Count b) {
    return a < b ? a : b;
}

struct uno_io_view {
    MPI_Offset start;                      /* the displacement */
    struct uno_mpi_type *etype, *filetype; /* held */
    const struct uno_io_representation *representation;
    MPI_Count unit;          /* bytes of etype's data in the file */
    MPI_Count bytes, extent; /* of filetype's data, and from one to the next */
    MPI_Count runs;          /* in one filetype */
    bool ordered;            /* no run begins before another one's end */
    bool whole;              /* there are no gaps between the runs */
};

/* Set the view; it holds the types. writes: the file may be written. Returns an error if they describe no
 * view, which stays as it was. */
int uno_io_view_set(struct uno_io_view *view, bool writes, MPI_Offset start, struct uno_mpi_type *etype,
                    struct uno_mpi_type *filetype, const struct uno_io_representation *representation);
void uno_io_view_drop(struct uno_io_view *view);

/* Return the place in the file of byte `at` of the view's data. */
MPI_Offset uno_io_place(const struct uno_io_view *view, MPI_Offset at);

/* Visit the runs of the bytes `at` to `at + bytes` of the view's data; adjacent runs as one. Returns false if
 * a visit has ended the walk. */
bool uno_io_runs(const struct uno_io_view *view, MPI_Offset at, MPI_Count bytes, uno_run_visit *visit,
                 void *context);

/* Return the bytes of the view's data before that place of the file. */
MPI_Count uno_io_before(const struct uno_io_view *view, MPI_Offset place);

#endif

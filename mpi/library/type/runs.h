/* The runs of bytes of a pattern, one after the other. */

#ifndef UNO_MPI_RUNS_H
#define UNO_MPI_RUNS_H

#include "library/type/pattern.h"

/* A function that is called with a run of bytes. Returns false to end the walk. */
typedef bool uno_run_visit(void *context, MPI_Count at, MPI_Count bytes);

/* Visit the data bytes `from` to `from + bytes` of a pattern that begins at `base`, run by run, in the order
 * of the data. Returns false if a visit has ended the walk. */
bool uno_pattern_runs(const struct uno_pattern *pattern, MPI_Count base, MPI_Count from, MPI_Count bytes,
                      uno_run_visit *visit, void *context);

#endif

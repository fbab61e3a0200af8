/* A solver on a mesh, as main.c runs it: structured.c and unstructured.c are two. Each rank has a part of the
 * mesh; in every iteration it receives the values beside its part from its neighbours, and takes part in a
 * sum or maximum over all ranks. */

#ifndef SOLVER_H
#define SOLVER_H

#include <stdbool.h>

/* Make the mesh, of a size that the program understands, and this rank's part of it. All ranks call it. */
void solver_make(long size);

/* Compute this rank's expected part after so many iterations, by serial code. */
void solver_expect(long iterations);

/* Restore the state before the first iteration. */
void solver_begin(void);

/* Iterate. Returns the residual of the last iteration. */
double solver_run(long iterations);

/* Return true if this rank's part and the residual are as expected. */
bool solver_is_right(double residual);

#endif

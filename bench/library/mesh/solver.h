/* A solver on a mesh, as main.c runs it: structured.c and unstructured.c are two. Each rank has a part of the
 * mesh, and in every iteration gets the values beside its part from its neighbours, and a sum or a greatest
 * value from all. */

#ifndef SOLVER_H
#define SOLVER_H

#include <stdbool.h>

/* Make the mesh, of a size that the program understands, and this rank's part of it. All ranks call it. */
void solver_make(long size);

/* What this rank's part must be after so many iterations, by serial code. */
void solver_expect(long iterations);

/* Everything as before the first iteration. */
void solver_begin(void);

/* Iterate; returns the residual of the last iteration. */
double solver_run(long iterations);

/* Whether this rank's part is as expected, and the residual. */
bool solver_is_right(double residual);

#endif

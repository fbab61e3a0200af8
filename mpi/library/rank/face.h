/* The ABI of the program, where the core calls the program's functions or shows it a number. Everywhere else
 * an entry has converted what comes and converts what goes (generate.py, foreign.py), and the core knows the
 * standard's ABI alone. */

#ifndef UNO_MPI_FACE_H
#define UNO_MPI_FACE_H

#include <mpi.h>
#include <stdint.h>

struct uno_face {
    /* The handle that the program has for one of the standard's ABI; where handles are int, in the lower
     * half. */
    uintptr_t (*handle)(uintptr_t handle);
    /* The one that Fortran has. */
    uintptr_t (*fortran)(uintptr_t handle);
    /* The program's number for an error of the standard's ABI, and back: of what a function of the program
     * returns. */
    int (*error)(int error);
    int (*error_from)(int error);
    /* The program's number for a rank, or for MPI_ANY_SOURCE or one of its like. */
    int (*rank)(int rank);
    /* Call a function of the program that fills in a status. Returns its error as the program's number. */
    int (*query)(MPI_Grequest_query_function *function, void *state, MPI_Status *status);
    int version, subversion; /* of the standard's ABI; -1: it is another one */
};

/* The standard's, unless the library is for another ABI, which puts its own here when it is loaded. */
extern struct uno_face uno_face;

#endif

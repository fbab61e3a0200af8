/* The ABI of the program, where the core calls the program's functions or shows it a number. Everywhere else
 * the entries convert arguments and results (generate.py, foreign.py), and the core knows the standard's ABI
 * alone. */

#ifndef UNO_MPI_FACE_H
#define UNO_MPI_FACE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct uno_face {
    /* Return the program's handle for one of the standard's ABI; where handles are int, in the lower half. */
    uintptr_t (*handle)(uintptr_t handle);
    /* Return Fortran's handle for one of the standard's ABI. */
    uintptr_t (*fortran)(uintptr_t handle);
    /* Convert an error of the standard's ABI to the program's number, and an error that a function of the
     * program returns back. */
    int (*error)(int error);
    int (*error_from)(int error);
    /* Return the program's number for a rank, or for MPI_ANY_SOURCE or the like. */
    int (*rank)(int rank);
    /* Return the program's number for MPI_WIN_FLAVOR_CREATE or the like; and for MPI_WIN_UNIFIED or the
     * other. */
    int (*flavor)(int flavor);
    int (*model)(int model);
    /* Call a function of the program that fills in a status. Returns its error as the program's number. */
    int (*query)(MPI_Grequest_query_function *function, void *state, MPI_Status *status);
    int version, subversion; /* of the standard's ABI; -1: it is another one */
    /* collectives whose result lies where their data lie are no errors, as they are none in that library */
    bool overlaps;
};

/* The program's ABI: the standard's, unless the library is for another ABI, which replaces this when it is
 * loaded. */
extern struct uno_face uno_face;

#endif

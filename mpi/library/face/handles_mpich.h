/* The types of handles in MPICH's ABI. */

#ifndef UNO_MPI_HANDLES_MPICH_H
#define UNO_MPI_HANDLES_MPICH_H

typedef int uno_face_comm, uno_face_group, uno_face_type, uno_face_op, uno_face_errhandler, uno_face_info,
    uno_face_request, uno_face_message, uno_face_win, uno_face_session;
typedef void *uno_face_file;

/* The function by which the library for Fortran tells of its calls (shared.h). */
#define UNO_FACE_OF_FORTRAN "MPII_Attributes_of_fortran"

#endif

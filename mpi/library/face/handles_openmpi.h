/* The types of handles in Open MPI's ABI. */

#ifndef UNO_MPI_HANDLES_OPENMPI_H
#define UNO_MPI_HANDLES_OPENMPI_H

typedef void *uno_face_comm, *uno_face_group, *uno_face_type, *uno_face_op, *uno_face_errhandler,
    *uno_face_info, *uno_face_request, *uno_face_message, *uno_face_win, *uno_face_session, *uno_face_file;

/* The function by which the library for Fortran tells of its calls (shared.h). */
#define UNO_FACE_OF_FORTRAN "ompi_unisono_attributes_of_fortran"

#endif

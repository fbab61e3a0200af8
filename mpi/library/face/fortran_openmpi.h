/* Fortran programs for Open MPI's ABI: handles are numbers, those of MPI_Comm_c2f and its like. */

#ifndef UNO_MPI_FORTRAN_OPENMPI_H
#define UNO_MPI_FORTRAN_OPENMPI_H

#include "library/face/fortran.h"
#include "library/face/handles_openmpi.h"

struct uno_face_status {
    int number[6];
};

/* The name of C's function. Tools for Open MPI replace Fortran's entries as well, so these call C's functions
 * directly. */
#define UNO_C(name) PMPI_##name

/* Tell where the program has called for a request, or, if that is NULL, has looked for a message. */
void uno_fortran_called(uno_face_request *request, const void *from) __asm__("ompi_called_from");

/* 32 bits, as the module mpi_f08 passes it. */
typedef unsigned uno_fortran_length;

enum {
    UNO_FORTRAN_WRONG = 13,      /* MPI_ERR_ARG */
    UNO_FORTRAN_UNSUPPORTED = 52 /* MPI_ERR_UNSUPPORTED_OPERATION */
};

/* The common blocks whose addresses stand for MPI_BOTTOM and the like in mpif.h. They are the program's, or
 * those of its module's library, if it has them. */
extern int mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_unweighted_, mpi_fortran_weights_empty_;
extern int mpi_fortran_status_ignore_[6], mpi_fortran_statuses_ignore_[6];

#define MPI_IN_PLACE ((void *)1)
#define MPI_UNWEIGHTED ((void *)2)
#define MPI_WEIGHTS_EMPTY ((void *)3)
const void *uno_fortran_special(const void *buffer);

/* Return C's address for Fortran's. */
static inline const void *uno_fortran_buffer(const void *buffer) {
    bool first = buffer == &mpi_fortran_bottom_ || buffer == &mpi_fortran_in_place_;
    bool weights = buffer == &mpi_fortran_unweighted_ || buffer == &mpi_fortran_weights_empty_;
    return first || weights ? uno_fortran_special(buffer) : buffer;
}

/* A status is the same as in C. */
static inline struct uno_face_status *uno_fortran_status(const void *status) {
    bool ignored = status == mpi_fortran_status_ignore_ || status == mpi_fortran_statuses_ignore_;
    return ignored ? NULL : (struct uno_face_status *)status;
}

/* The keys of MPI's own attributes are those of C. */
enum { UNO_FORTRAN_WIN_BASE = 7, UNO_FORTRAN_WIN_SIZE = 8 };
static inline bool uno_fortran_own_key(int keyval) {
    return keyval >= 0 && keyval <= 11;
}
static inline int uno_fortran_key(int keyval) {
    return keyval;
}

#define UNO_FORTRAN_NUMBER(Kind, kind)                                                                       \
    uno_face_##kind PMPI_##Kind##_f2c(int number);                                                           \
    int PMPI_##Kind##_c2f(uno_face_##kind handle);                                                           \
    static inline uno_face_##kind uno_c_##kind(int number) {                                                 \
        return PMPI_##Kind##_f2c(number);                                                                    \
    }                                                                                                        \
    static inline int uno_f_##kind(uno_face_##kind handle) {                                                 \
        return PMPI_##Kind##_c2f(handle);                                                                    \
    }
UNO_FORTRAN_NUMBER(Comm, comm)
UNO_FORTRAN_NUMBER(Group, group)
UNO_FORTRAN_NUMBER(Type, type)
UNO_FORTRAN_NUMBER(Op, op)
UNO_FORTRAN_NUMBER(Errhandler, errhandler)
UNO_FORTRAN_NUMBER(Info, info)
UNO_FORTRAN_NUMBER(Request, request)
UNO_FORTRAN_NUMBER(Message, message)
UNO_FORTRAN_NUMBER(Win, win)
UNO_FORTRAN_NUMBER(File, file)
UNO_FORTRAN_NUMBER(Session, session)
#undef UNO_FORTRAN_NUMBER

/* Functions of libmpi.so.40 for these entries (openmpi.c). The first two mark an operation or an error
 * handler as one whose function is Fortran's, and gets numbers. */
void ompi_unisono_fortran_op(uno_face_op op);
void ompi_unisono_fortran_errhandler(uno_face_errhandler errhandler);
#define uno_fortran_function_of_op ompi_unisono_fortran_op
#define uno_fortran_function_of_errhandler ompi_unisono_fortran_errhandler
/* Return the number of ranks on the other side of a communicator, and its numbers of neighbours. */
int ompi_unisono_peers(uno_face_comm comm);
int ompi_unisono_sources(uno_face_comm comm);
int ompi_unisono_destinations(uno_face_comm comm);
/* Return how many types MPI_Type_get_contents writes if there is room for `most`. */
long ompi_unisono_types_in(uno_face_type type, int most);
#define uno_fortran_types_in ompi_unisono_types_in
#define uno_fortran_peers ompi_unisono_peers
#define uno_fortran_sources ompi_unisono_sources
#define uno_fortran_destinations ompi_unisono_destinations

#endif

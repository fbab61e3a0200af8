/* Fortran programs for MPICH's ABI: handles are those of C, but for files. */

#ifndef UNO_MPI_FORTRAN_MPICH_H
#define UNO_MPI_FORTRAN_MPICH_H

#include "library/face/fortran.h"
#include "library/face/handles_mpich.h"

struct uno_face_status {
    int number[5];
};

/* The name of C's function that tools may replace. */
#define UNO_C(name) MPI_##name

/* Tell where the program has called for a request, or, if that is NULL, has looked for a message. */
void uno_fortran_called(uno_face_request *request, const void *from) __asm__("MPII_Called_from");

typedef size_t uno_fortran_length;

enum {
    UNO_FORTRAN_WRONG = 12,      /* MPI_ERR_ARG */
    UNO_FORTRAN_UNSUPPORTED = 44 /* MPI_ERR_UNSUPPORTED_OPERATION */
};

/* The variables whose addresses stand for MPI_BOTTOM and the like in mpif.h. */
extern struct uno_fortran_first { int bottom, in_place, status_ignore[5]; } mpipriv1_;
extern struct uno_fortran_second { int statuses_ignore[5], errcodes_ignore; } mpipriv2_;
extern int mpifcmb5_, mpifcmb9_; /* MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY */

const void *uno_fortran_special(const void *buffer);

/* Return C's address for Fortran's. */
static inline const void *uno_fortran_buffer(const void *buffer) {
    bool first = buffer == &mpipriv1_.bottom || buffer == &mpipriv1_.in_place;
    return first || buffer == &mpifcmb5_ || buffer == &mpifcmb9_ ? uno_fortran_special(buffer) : buffer;
}

static inline struct uno_face_status *uno_fortran_status(const void *status) {
    bool ignored = status == mpipriv1_.status_ignore || status == mpipriv2_.statuses_ignore;
    return ignored ? (struct uno_face_status *)1 : (struct uno_face_status *)status;
}

/* The keys of MPI's own attributes are one more in Fortran than in C: as here. */
enum { UNO_FORTRAN_WIN_BASE = 0x66000001, UNO_FORTRAN_WIN_SIZE = 0x66000003 };
static inline bool uno_fortran_own_key(int keyval) {
    return (keyval & ~0xff) == 0x64400000 || (keyval & ~0xff) == 0x66000000;
}
static inline int uno_fortran_key(int keyval) {
    return uno_fortran_own_key(keyval) ? keyval - 1 : keyval;
}

#define UNO_FORTRAN_INT(kind)                                                                                \
    static inline int uno_c_##kind(int handle) {                                                             \
        return handle;                                                                                       \
    }                                                                                                        \
    static inline int uno_f_##kind(int handle) {                                                             \
        return handle;                                                                                       \
    }
UNO_FORTRAN_INT(comm)
UNO_FORTRAN_INT(type)
UNO_FORTRAN_INT(info)
UNO_FORTRAN_INT(request)
UNO_FORTRAN_INT(win)

uno_face_file MPI_File_f2c(int file);
int MPI_File_c2f(uno_face_file file);
#define uno_c_file MPI_File_f2c
#define uno_f_file MPI_File_c2f

#endif

/* Fortran programs for MPICH's ABI: what their entries need. */

#ifndef UNO_MPI_FORTRAN_H
#define UNO_MPI_FORTRAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int uno_face_comm, uno_face_group, uno_face_type, uno_face_op, uno_face_errhandler, uno_face_info,
    uno_face_request, uno_face_message, uno_face_win, uno_face_session;
typedef void *uno_face_file;
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset, MPI_Count;
struct uno_face_status {
    int number[5];
};

enum {
    UNO_FORTRAN_STRING = 8192,   /* the longest that a call gives back */
    UNO_FORTRAN_UNSUPPORTED = 44 /* MPI_ERR_UNSUPPORTED_OPERATION */
};

#define EXPORT __attribute__((visibility("default")))
#define SAME(name, as) EXPORT __typeof__(as) name __attribute__((weak, alias(#as)));

/* The variables by whose addresses mpif.h knows MPI_BOTTOM and others. */
extern struct uno_fortran_first { int bottom, in_place, status_ignore[5]; } mpipriv1_;
extern struct uno_fortran_second { int statuses_ignore[5], errcodes_ignore; } mpipriv2_;
extern int mpifcmb5_, mpifcmb9_; /* MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY */

const void *uno_fortran_special(const void *buffer);

/* C's address for Fortran's. */
static inline const void *uno_fortran_buffer(const void *buffer) {
    bool first = buffer == &mpipriv1_.bottom || buffer == &mpipriv1_.in_place;
    return first || buffer == &mpifcmb5_ || buffer == &mpifcmb9_ ? uno_fortran_special(buffer) : buffer;
}

static inline struct uno_face_status *uno_fortran_status(const void *status) {
    bool ignored = status == mpipriv1_.status_ignore || status == mpipriv2_.statuses_ignore;
    return ignored ? (struct uno_face_status *)1 : (struct uno_face_status *)status;
}

/* The keys of MPI's own attributes are one more in Fortran. */
static inline int uno_fortran_key(int keyval) {
    return (keyval & ~0xff) == 0x64400000 ? keyval - 1 : keyval;
}

/* A string of C: without the blanks around. */
static inline char *uno_fortran_string(const char *from, size_t length, char *to) {
    while (length && from[length - 1] == ' ')
        length--;
    while (length && *from == ' ')
        from++, length--;
    memcpy(to, from, length);
    to[length] = 0;
    return to;
}

/* A string that a call may fill in; and what it was filled with, with blanks behind. */
static inline char *uno_fortran_unset(char *text) {
    text[0] = 1;
    text[1] = 0;
    return text;
}
static inline void uno_fortran_pad(char *to, size_t length, const char *from) {
    size_t n = strlen(from);
    if (n == 1 && *from == 1)
        return;
    n = n < length ? n : length;
    memcpy(to, from, n);
    memset(to + n, ' ', length - n);
}

#endif

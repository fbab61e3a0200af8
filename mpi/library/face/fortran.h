/* Helpers for the entries of Fortran in every ABI. fortran_ABI.h includes this after it has defined the
 * handles of C. */

#ifndef UNO_MPI_FORTRAN_H
#define UNO_MPI_FORTRAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset, MPI_Count;

enum {
    UNO_FORTRAN_STRING = 8192, /* the longest string that a call returns */
    UNO_FORTRAN_FEW = 64       /* handles of an array that fit on the stack */
};

#define EXPORT __attribute__((visibility("default")))
#define SAME(name, as) EXPORT __typeof__(as) name __attribute__((weak, alias(#as)));
/* Define all names by which compilers, and Open MPI's modules, know a function. */
#define ALL_NAMES(low, up, Mixed)                                                                            \
    SAME(mpi_##low, mpi_##low##_)                                                                            \
    SAME(mpi_##low##__, mpi_##low##_)                                                                        \
    SAME(MPI_##up, mpi_##low##_)                                                                             \
    SAME(MPI_##Mixed##_f, mpi_##low##_)                                                                      \
    SAME(MPI_##Mixed##_f08, mpi_##low##_)                                                                    \
    SAME(pmpi_##low, mpi_##low##_)                                                                           \
    SAME(pmpi_##low##_, mpi_##low##_)                                                                        \
    SAME(pmpi_##low##__, mpi_##low##_)                                                                       \
    SAME(PMPI_##up, mpi_##low##_)                                                                            \
    SAME(PMPI_##Mixed##_f, mpi_##low##_)                                                                     \
    SAME(PMPI_##Mixed##_f08, mpi_##low##_)                                                                   \
    SAME(ompi_##low##_f, mpi_##low##_)

/* Convert a string to C: without blanks at its ends. */
static inline char *uno_fortran_string(const char *from, size_t length, char *to) {
    while (length && from[length - 1] == ' ')
        length--;
    while (length && *from == ' ')
        from++, length--;
    memcpy(to, from, length);
    to[length] = 0;
    return to;
}

/* Prepare a string that a call may fill in; and convert its content, padded with blanks. */
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

static inline void *uno_fortran_allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

/* Handles of C, beside Fortran's numbers for the time of a call. */
static inline void *uno_fortran_beside(void *few, long count, size_t size) {
    return count <= UNO_FORTRAN_FEW ? few : uno_fortran_allocate((size_t)count * size);
}
static inline void uno_fortran_beside_end(void *all, void *few) {
    if (all != few)
        free(all);
}

#endif

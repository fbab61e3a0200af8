/* Combining elements of a target with those of an origin, each element at once for all ranks that do so: they
 * hold the target meanwhile, of many elements a part after the other. */

#ifndef UNO_MPI_COMBINE_H
#define UNO_MPI_COMBINE_H

#include <string.h>

#include "library/object/op.h"
#include "library/window/carry.h"

/* The combination of elements of one type by one operation. */
struct uno_combining {
    size_t width;      /* bytes of an element in memory */
    uno_kernel kernel; /* NULL: MPI_REPLACE, or, if it keeps, MPI_NO_OP */
    bool keeps;
    bool adds; /* whole numbers */
    MPI_Op op;
    MPI_Datatype basic;
};

/* Fill it in. MPI_ERR_OP: the operation is not for elements of that type, or is the program's. */
int uno_combining_of(struct uno_combining *how, const struct uno_mpi_type *basic,
                     const struct uno_mpi_op *op);

/* Combine the elements in these runs at a place with those of the stream; `before`, unless NULL, is a stream
 * that gets what they were; of a target that is asked spot->result gets it, later. Only if MPI_NO_OP keeps
 * them `bytes` may be NULL. */
int uno_win_combine(const struct uno_spot *spot, const struct uno_runs *runs, const struct uno_combining *how,
                    const char *bytes, char *before, unsigned signature);

/* The bytes of an element as a number, and back, which is one store. */
static inline uint64_t uno_number_of(const void *at, size_t width) {
    uint64_t eight = 0;
    uint32_t four;
    uint16_t two;
    switch (width) {
    case 8:
        memcpy(&eight, at, 8);
        return eight;
    case 4:
        memcpy(&four, at, 4);
        return four;
    case 2:
        memcpy(&two, at, 2);
        return two;
    default:
        return *(const unsigned char *)at;
    }
}
static inline void uno_number_to(void *at, size_t width, uint64_t number) {
    uint32_t four = (uint32_t)number;
    uint16_t two = (uint16_t)number;
    switch (width) {
    case 8:
        memcpy(at, &number, 8);
        break;
    case 4:
        memcpy(at, &four, 4);
        break;
    case 2:
        memcpy(at, &two, 2);
        break;
    default:
        *(unsigned char *)at = (unsigned char)number;
    }
}

/* Combine one run, which begins at the place itself. A whole number in memory of this process, to which
 * another one is added, is stored at once. */
int uno_win_combine_some(const struct uno_spot *spot, const struct uno_combining *how, size_t bytes,
                         const char *data, char *before, unsigned signature);
static inline int uno_win_combine_run(const struct uno_spot *spot, const struct uno_combining *how,
                                      size_t bytes, const char *data, char *before, unsigned signature) {
    if (!how->adds || bytes != how->width || !spot->at)
        return uno_win_combine_some(spot, how, bytes, data, before, signature);
    uno_win_hold(spot->win, spot->rank, signature);
    uint64_t old = uno_number_of(spot->at, bytes);
    uno_number_to(spot->at, bytes, old + uno_number_of(data, bytes));
    uno_win_let_go(spot->win, spot->rank);
    if (before)
        uno_number_to(before, bytes, old);
    return MPI_SUCCESS;
}

#endif

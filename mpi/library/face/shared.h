/* Functions that the libraries of all other ABIs have in addition to the standard's. Included after the ABI's
 * header. */

#include "library/object/attributes.h"

int face_Type_get_extent(uno_face_type datatype, MPI_Aint *lb,
                         MPI_Aint *extent) __asm__("PMPI_Type_get_extent");

UNO_FACE(int, Type_extent, (uno_face_type datatype, MPI_Aint *extent)) {
    MPI_Aint low;
    return face_Type_get_extent(datatype, &low, extent);
}

UNO_FACE(int, Type_lb, (uno_face_type datatype, MPI_Aint *displacement)) {
    MPI_Aint extent;
    return face_Type_get_extent(datatype, displacement, &extent);
}

UNO_FACE(int, Type_ub, (uno_face_type datatype, MPI_Aint *displacement)) {
    MPI_Aint extent;
    int error = face_Type_get_extent(datatype, displacement, &extent);
    if (!error)
        *displacement += extent;
    return error;
}

/* A status is the same in Fortran as in C, in either form. */
#define UNO_FACE_STATUS_AS(name)                                                                             \
    UNO_FACE(int, Status_##name, (const struct uno_face_status *from, void *to)) {                           \
        if (!UNO_FACE_GIVEN(from) || !to)                                                                    \
            return uno_out_error(MPI_ERR_ARG);                                                               \
        memcpy(to, from, sizeof *from);                                                                      \
        return MPI_SUCCESS;                                                                                  \
    }
UNO_FACE_STATUS_AS(c2f)
UNO_FACE_STATUS_AS(f2c)
UNO_FACE_STATUS_AS(c2f08)
UNO_FACE_STATUS_AS(f082c)
UNO_FACE_STATUS_AS(f082f)
UNO_FACE_STATUS_AS(f2f08)
#undef UNO_FACE_STATUS_AS

/* Answer that memory of an accelerator may not be sent from. */
#define UNO_FACE_QUERY(name)                                                                                 \
    __attribute__((visibility("default"))) int MPIX_Query_##name##_support(void) {                           \
        return 0;                                                                                            \
    }                                                                                                        \
    __attribute__((visibility("default"))) int PMPIX_Query_##name##_support(void) {                          \
        return 0;                                                                                            \
    }

/* The library for Fortran, or the one that records calls, tells where the program has called for a request,
 * or, if that is NULL, has looked for a message (uno_called_correct). */
__attribute__((visibility("default"))) void uno_face_called(uno_face_request *request,
                                                            const void *from) __asm__(UNO_FACE_CALLED);
void uno_face_called(uno_face_request *request, const void *from) {
    bool entered = uno_threads_enter();
    MPI_Request made = request ? uno_in_request(*request) : MPI_REQUEST_NULL;
    uno_called_correct(request ? &made : NULL, from);
    if (entered)
        uno_threads_leave();
}

/* The library for Fortran tells that the call is Fortran's, or that it has ended. */
__attribute__((visibility("default"))) void uno_face_of_fortran(bool calls) __asm__(UNO_FACE_OF_FORTRAN);
void uno_face_of_fortran(bool calls) {
    uno_attribute_fortran = calls;
}

void uno_face_contents(MPI_Datatype type, int integers[]) {
    MPI_Count numbers, addresses, large, types;
    int combiner;
    uno_mpi_type_get_envelope_c(uno_find_type(type), &numbers, &addresses, &large, &types, &combiner);
    if (combiner != MPI_COMBINER_SUBARRAY && combiner != MPI_COMBINER_DARRAY)
        return;
    integers[numbers - 1] = uno_out_order(integers[numbers - 1]);
    if (combiner == MPI_COMBINER_SUBARRAY)
        return;
    int n = integers[2], *distribution = &integers[large ? 3 : 3 + n]; /* sizes stand there, or are large */
    for (int i = 0; i < n; i++) {
        distribution[i] = uno_out_distribution(distribution[i]);
        distribution[n + i] = uno_out_argument(distribution[n + i]);
    }
}

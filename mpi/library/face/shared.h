/* Functions that the libraries of all other ABIs have in addition to the standard's. Included after the ABI's
 * header. */

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
    MPI_Aint low, extent;
    int error = face_Type_get_extent(datatype, &low, &extent);
    if (!error)
        *displacement = low + extent;
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

/* Record where a program of Fortran's has called for a request, or, if that is NULL, has looked for a
 * message: C's entry has taken the library for Fortran for its caller. */
__attribute__((visibility("default"))) void uno_face_called(uno_face_request *request,
                                                            const void *from) __asm__(UNO_FACE_CALLED);
void uno_face_called(uno_face_request *request, const void *from) {
    struct uno_mpi_request *r = request ? uno_find_request(uno_in_request(*request)) : NULL;
    if (r)
        r->called.from = from;
    else if (!request)
        uno_probe_called(from);
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

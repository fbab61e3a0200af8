/* Functions that MPI has removed and other libraries still have, for each of their ABIs: after its header. */

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

/* Functions that MPI has removed and that programs in Fortran still call, of either ABI: with addresses of 32
 * bits. They are made of the entries that have taken their places. */

#include UNO_FORTRAN_ABI

/* ---- addresses and extents ---------------------------------------------------------------------------- */

void mpi_get_address_(const void *location, MPI_Aint *address, int *ierror);
void mpi_type_get_extent_(const int *type, MPI_Aint *low, MPI_Aint *extent, int *ierror);

/* An address that 32 bits do not hold is an error. */
static void narrow(MPI_Aint wide, int *number, int *ierror) {
    if (*ierror)
        return;
    *number = (int)wide;
    if (*number != wide)
        *ierror = UNO_FORTRAN_WRONG;
}

EXPORT void mpi_address_(const void *location, int *address, int *ierror) {
    MPI_Aint wide = 0;
    mpi_get_address_(location, &wide, ierror);
    narrow(wide, address, ierror);
}
ALL_NAMES(address, ADDRESS, Address)

EXPORT void mpi_type_extent_(const int *type, int *extent, int *ierror) {
    MPI_Aint low = 0, wide = 0;
    mpi_type_get_extent_(type, &low, &wide, ierror);
    narrow(wide, extent, ierror);
}
ALL_NAMES(type_extent, TYPE_EXTENT, Type_extent)

EXPORT void mpi_type_lb_(const int *type, int *bound, int *ierror) {
    MPI_Aint low = 0, wide = 0;
    mpi_type_get_extent_(type, &low, &wide, ierror);
    narrow(low, bound, ierror);
}
ALL_NAMES(type_lb, TYPE_LB, Type_lb)

EXPORT void mpi_type_ub_(const int *type, int *bound, int *ierror) {
    MPI_Aint low = 0, wide = 0;
    mpi_type_get_extent_(type, &low, &wide, ierror);
    narrow(low + wide, bound, ierror);
}
ALL_NAMES(type_ub, TYPE_UB, Type_ub)

/* ---- types -------------------------------------------------------------------------------------------- */

void mpi_type_create_hvector_(const int *count, const int *length, const MPI_Aint *stride, const int *type,
                              int *made, int *ierror);
void mpi_type_create_hindexed_(const int *count, const int *lengths, const MPI_Aint *places, const int *type,
                               int *made, int *ierror);
void mpi_type_create_struct_(const int *count, const int *lengths, const MPI_Aint *places, const int *types,
                             int *made, int *ierror);

static MPI_Aint *widened(const int *places, int count) {
    MPI_Aint *wide = uno_fortran_allocate((size_t)(count > 0 ? count : 1) * sizeof *wide);
    for (int i = 0; i < count; i++)
        wide[i] = places[i];
    return wide;
}

EXPORT void mpi_type_hvector_(const int *count, const int *length, const int *stride, const int *type,
                              int *made, int *ierror) {
    MPI_Aint wide = *stride;
    mpi_type_create_hvector_(count, length, &wide, type, made, ierror);
}
ALL_NAMES(type_hvector, TYPE_HVECTOR, Type_hvector)

EXPORT void mpi_type_hindexed_(const int *count, const int *lengths, const int *places, const int *type,
                               int *made, int *ierror) {
    MPI_Aint *wide = widened(places, *count);
    mpi_type_create_hindexed_(count, lengths, wide, type, made, ierror);
    free(wide);
}
ALL_NAMES(type_hindexed, TYPE_HINDEXED, Type_hindexed)

EXPORT void mpi_type_struct_(const int *count, const int *lengths, const int *places, const int *types,
                             int *made, int *ierror) {
    MPI_Aint *wide = widened(places, *count);
    mpi_type_create_struct_(count, lengths, wide, types, made, ierror);
    free(wide);
}
ALL_NAMES(type_struct, TYPE_STRUCT, Type_struct)

/* ---- error handlers ----------------------------------------------------------------------------------- */

void mpi_comm_create_errhandler_(void (*function)(void), int *handler, int *ierror);
void mpi_comm_get_errhandler_(const int *comm, int *handler, int *ierror);
void mpi_comm_set_errhandler_(const int *comm, const int *handler, int *ierror);

EXPORT void mpi_errhandler_create_(void (*function)(void), int *handler, int *ierror) {
    mpi_comm_create_errhandler_(function, handler, ierror);
}
ALL_NAMES(errhandler_create, ERRHANDLER_CREATE, Errhandler_create)

EXPORT void mpi_errhandler_get_(const int *comm, int *handler, int *ierror) {
    mpi_comm_get_errhandler_(comm, handler, ierror);
}
ALL_NAMES(errhandler_get, ERRHANDLER_GET, Errhandler_get)

EXPORT void mpi_errhandler_set_(const int *comm, const int *handler, int *ierror) {
    mpi_comm_set_errhandler_(comm, handler, ierror);
}
ALL_NAMES(errhandler_set, ERRHANDLER_SET, Errhandler_set)

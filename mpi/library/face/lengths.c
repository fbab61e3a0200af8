/* The lengths of the arrays of types that the entries of other ABIs convert. */

#include "library/communicator/topology.h"
#include "library/face/foreign.h"

/* Outside MPI_Init and MPI_Finalize there is none, which the entry itself will say. */
static const struct uno_mpi_comm *find(MPI_Comm comm) {
    return uno_rank ? uno_find_comm(comm) : NULL;
}

int uno_face_peers(MPI_Comm comm) {
    const struct uno_mpi_comm *found = find(comm);
    return found ? found->peers : 0;
}

static const struct uno_neighbours *neighbours(MPI_Comm comm) {
    const struct uno_mpi_comm *found = find(comm);
    return found ? uno_neighbours_of(found) : NULL;
}

int uno_face_sources(MPI_Comm comm) {
    const struct uno_neighbours *n = neighbours(comm);
    return n ? n->ins : 0;
}

int uno_face_destinations(MPI_Comm comm) {
    const struct uno_neighbours *n = neighbours(comm);
    return n ? n->outs : 0;
}

long uno_face_types_in(MPI_Datatype type, MPI_Count most) {
    const struct uno_mpi_type *found = uno_find_type(type);
    MPI_Count types = found ? found->contents.types : 0;
    return (long)(types < most ? types : most);
}

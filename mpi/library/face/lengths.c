/* How long the arrays of types are that the entries of other ABIs convert. */

#include "library/face/foreign.h"
#include "library/topology/topology.h"

int uno_face_peers(MPI_Comm comm) {
    const struct uno_mpi_comm *found = uno_find_comm(comm);
    return found ? found->peers : 0;
}

static const struct uno_neighbours *neighbours(MPI_Comm comm) {
    const struct uno_mpi_comm *found = uno_find_comm(comm);
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

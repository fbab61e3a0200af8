#include "library/communicator/node.h"

#include "engine/nodes.h"
#include "library/calls.h"

int uno_node_here(void) {
    const struct uno_pe *pe = uno_rank->pe;
    return uno_nodes_of(pe->job) ? uno_node_of(pe, pe->me) : 0;
}

int uno_comm_apart(const struct uno_mpi_comm *comm) {
    const struct uno_job_nodes *nodes = uno_nodes_of(uno_rank->pe->job);
    const struct uno_comm *c = &comm->comm;
    for (int r = 1; nodes && r < c->size; r++)
        if (nodes->place[c->pe[r]].node != nodes->place[c->pe[0]].node)
            return r;
    return -1;
}

int uno_comm_check_node(const struct uno_mpi_comm *comm, int class, const char *why) {
    const struct uno_job_nodes *nodes = uno_nodes_of(uno_rank->pe->job);
    int apart = uno_comm_apart(comm);
    if (apart < 0)
        return MPI_SUCCESS;
    const int *pe = comm->comm.pe;
    return uno_error(
        class, "%s, but rank 0 is on %s and rank %d on %s (MPI_Comm_split_type makes communicators of nodes)",
        why, nodes->name[nodes->place[pe[0]].node], apart, nodes->name[nodes->place[pe[apart]].node]);
}

/* Communicators, and what their messages are told by. */

#ifndef UNO_MPI_COMM_H
#define UNO_MPI_COMM_H

#include "collective/comm.h"
#include "library/communicator/groups.h"
#include "library/object/objects.h"

struct uno_topology;

struct uno_mpi_comm {
    struct uno_object object;
    struct uno_mpi_group *remote; /* of an intercommunicator the other group; else NULL */
    /* the ranks that messages go to and come from: of the other group, or of the one that there is */
    const int *peer; /* the PE of each */
    int *rank_of;    /* of each PE of the job its rank among them; NULL: they are all PEs, in their order */
    int peers;
    int id; /* among the communicators of its ranks, the same on each of them */
    struct uno_mpi_group *group;
    struct uno_comm *both; /* the ranks of both groups of an intercommunicator; or NULL */
    uint32_t schedules[2]; /* that were ever made of it, to be run once, and often */
    char name[MPI_MAX_OBJECT_NAME];
    uint32_t face[4];     /* room for a face, which may want it where it is (openmpi_cxx.c) */
    struct uno_comm comm; /* what the collectives know of it */
    bool first;           /* of an intercommunicator: this rank's group comes first in both */
    struct uno_mpi_errhandler *errhandler;
    struct uno_mpi_info *info;     /* or NULL */
    struct uno_topology *topology; /* or NULL */
    struct uno_attached attached;
};

static inline struct uno_mpi_comm *uno_find_comm(MPI_Comm comm) {
    if (UNO_LIKELY(comm == MPI_COMM_WORLD))
        return uno_rank->world;
    return comm == MPI_COMM_SELF ? uno_rank->self : uno_object_of((uintptr_t)comm, UNO_COMM);
}

/* All ranks that collective calls are of: those of both groups of an intercommunicator. */
static inline struct uno_comm *uno_comm_all(struct uno_mpi_comm *comm) {
    return comm->both ? comm->both : &comm->comm;
}

/* What messages of the communicator are told by. */
static inline uint32_t uno_comm_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id;
}

/* What the leaders of two groups tell each other by, which the program's messages never match. */
static inline uint32_t uno_comm_leader_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id | UINT32_C(1) << 28;
}

/* What tells of the number of a copy. */
static inline uint32_t uno_comm_number_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id | UINT32_C(1) << 29;
}

/* And what those of its schedules are. */
static inline uint32_t uno_comm_schedule_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id | UINT32_C(1) << 30;
}

/* The rank of a PE; MPI_UNDEFINED if it is none. */
static inline int uno_comm_rank_of(const struct uno_mpi_comm *comm, int pe) {
    return comm->rank_of ? comm->rank_of[pe] : pe;
}

#endif

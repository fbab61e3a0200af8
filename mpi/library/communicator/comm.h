/* Communicators, and the contexts that tell their messages apart. */

#ifndef UNO_MPI_COMM_H
#define UNO_MPI_COMM_H

#include "collective/comm.h"
#include "library/communicator/groups.h"
#include "library/object/objects.h"

struct uno_topology;

/* The outcome of a blocking collective that mpi/collective has refused, at all ranks, where a schedule of
 * messages does it instead. */
enum { UNO_BY_MESSAGES = -1 };

enum { UNO_MADE_TEXT = MPI_MAX_OBJECT_NAME + 48 };

/* Partitioned requests that were made with one peer and tag. */
struct uno_paired {
    struct uno_paired *next;
    int peer, tag;
    unsigned made[2]; /* receives, and sends */
};

struct uno_mpi_comm {
    struct uno_object object;
    struct uno_mpi_group *remote; /* the other group of an intercommunicator; otherwise NULL */
    /* the ranks that messages go to and come from: those of the other group, or of the only one */
    const int *peer; /* the PE of each of these ranks */
    int *rank_of;    /* for each PE of the job its rank among them; NULL: they are all PEs, in order */
    int peers;
    int id; /* unique among the communicators of its ranks, and the same on each of them */
    struct uno_mpi_group *group;
    struct uno_comm *both; /* the ranks of both groups of an intercommunicator; or NULL */
    uint32_t schedules[2]; /* schedules ever made of it: those that run once, and persistent ones */
    char name[MPI_MAX_OBJECT_NAME];
    uint32_t face[4];     /* memory for a face, which may need it at this place (openmpi_cxx.c) */
    struct uno_comm comm; /* the collectives' view of it */
    bool scheduled;       /* its blocking collectives are schedules */
    bool first;           /* intercommunicator: this rank's group comes first in `both` */
    struct uno_mpi_errhandler *errhandler;
    struct uno_mpi_info *info;     /* or NULL */
    struct uno_topology *topology; /* or NULL */
    struct uno_attached attached;
    struct uno_paired *paired;
    char made[UNO_MADE_TEXT]; /* how the program has made it: "MPI_Comm_dup of MPI_COMM_WORLD" */
};

static inline struct uno_mpi_comm *uno_find_comm(MPI_Comm comm) {
    if (UNO_LIKELY(comm == MPI_COMM_WORLD))
        return uno_rank->world;
    return comm == MPI_COMM_SELF ? uno_rank->self : uno_object_of((uintptr_t)comm, UNO_COMM);
}

/* Return all ranks that take part in collective calls: those of both groups of an intercommunicator. */
static inline struct uno_comm *uno_comm_all(struct uno_mpi_comm *comm) {
    return comm->both ? comm->both : &comm->comm;
}

/* Return the context of the program's messages. */
static inline uint32_t uno_comm_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id;
}

/* Return the context of messages between the leaders of two groups. The program's messages never match it. */
static inline uint32_t uno_comm_leader_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id | UINT32_C(1) << 28;
}

/* Return the context of the messages that tell the number of a copy. */
static inline uint32_t uno_comm_number_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id | UINT32_C(1) << 29;
}

/* Return the context of partitioned messages of the k-th pair of requests with one peer and tag. Of more than
 * UNO_PAIRS some share one. */
enum { UNO_PAIRS = 8 };
static inline uint32_t uno_comm_part_context(const struct uno_mpi_comm *comm, unsigned k) {
    unsigned code = k % UNO_PAIRS ? 8 + k % UNO_PAIRS : 6;
    return (uint32_t)comm->id | (uint32_t)code << 27;
}

/* Return the context of the messages of its schedules. */
static inline uint32_t uno_comm_schedule_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id | UINT32_C(1) << 30;
}

/* Return the context of messages by which all its ranks make another communicator, and that of those by which
 * some of them do; and that by which ranks do that have none in common. */
static inline uint32_t uno_comm_making_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id | UINT32_C(1) << 27;
}
static inline uint32_t uno_comm_some_context(const struct uno_mpi_comm *comm) {
    return (uint32_t)comm->id | UINT32_C(3) << 27;
}
#define UNO_CONTEXT_GROUPS (UINT32_C(5) << 27)

/* Return the rank of a PE; MPI_UNDEFINED if it has none. */
static inline int uno_comm_rank_of(const struct uno_mpi_comm *comm, int pe) {
    return comm->rank_of ? comm->rank_of[pe] : pe;
}

#endif

/* Communicators: how they are made, and where their ranks are. */

#ifndef UNO_MPI_COMM_H
#define UNO_MPI_COMM_H

#include "library/object/objects.h"

/* A communicator of that number, of the group's ranks, of which this one is one; remote: of an
 * intercommunicator the other group, else NULL. It holds the groups. handle: as uno_object_make's. */
struct uno_mpi_comm *uno_comm_make(struct uno_mpi_group *group, struct uno_mpi_group *remote, int id,
                                   uintptr_t handle);

/* One with the error handler of a parent. */
struct uno_mpi_comm *uno_comm_child(const struct uno_mpi_comm *parent, struct uno_mpi_group *group,
                                    struct uno_mpi_group *remote, int id);

/* What the collectives know of the ranks of a group, which have no communicator yet, or have one more; to be
 * ended by uno_comm_disconnect. */
void uno_comm_open(struct uno_comm *c, const struct uno_mpi_group *group);

/* The number of a communicator that these ranks will have, all of which call it: one that is free at each of
 * them. -1: there is none; uno_comm_no_id() says so. */
int uno_comm_agree(struct uno_comm *all);
int uno_comm_agree_in(struct uno_mpi_group *all); /* ranks that have no communicator yet */
int uno_comm_no_id(void);

/* The ranks of two groups that have none in common: those of the group with the lower first PE, and then
 * those of the other one. */
struct uno_mpi_group *uno_comm_union(struct uno_mpi_group *a, struct uno_mpi_group *b);

/* All ranks that collective calls are of: those of both groups of an intercommunicator. */
static inline struct uno_comm *uno_comm_all(struct uno_mpi_comm *comm) {
    return comm->both ? comm->both : &comm->comm;
}

/* Of a communicator's ranks those with the same color are a new one, in the order of their keys: *made, or
 * NULL where the color is MPI_UNDEFINED. All of its ranks call it. */
int uno_comm_split(struct uno_mpi_comm *comm, int color, int key, struct uno_mpi_comm **made);

/* Numbers of the first communicators, and which are free at the start. */
enum {
    UNO_ID_NONE = -1, /* it has none yet */
    UNO_ID_WORLD = 0,
    UNO_ID_SELF,
    UNO_ID_FIRST,
    UNO_ID_CHOSEN = 1 << 26 /* from there to 1 << 27 they are chosen by one rank (copies.c) */
};
void uno_comm_ids_start(void);

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

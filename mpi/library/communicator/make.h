/* The making of communicators, and their numbers. */

#ifndef UNO_MPI_MAKE_H
#define UNO_MPI_MAKE_H

#include "library/communicator/comm.h"

/* Numbers of the first communicators, and which are free at the start. */
enum {
    UNO_ID_NONE = -1, /* it has none yet */
    UNO_ID_WORLD = 0,
    UNO_ID_SELF,
    UNO_ID_FIRST,
    UNO_ID_CHOSEN = 1 << 26 /* from there to 1 << 27 they are chosen by one rank (derived/agree.c) */
};
void uno_comm_ids_start(void);

/* A communicator of that number, of the group's ranks, of which this one is one; remote: of an
 * intercommunicator the other group, else NULL. It holds the groups. handle: as uno_object_make's. */
struct uno_mpi_comm *uno_comm_make(struct uno_mpi_group *group, struct uno_mpi_group *remote, int id,
                                   uintptr_t handle);

/* Make a communicator with the error handler of a parent. */
struct uno_mpi_comm *uno_comm_child(const struct uno_mpi_comm *parent, struct uno_mpi_group *group,
                                    struct uno_mpi_group *remote, int id);

/* Record by which function the program has made a communicator, of which other one. */
void uno_comm_made(MPI_Comm made, const char *function, const struct uno_mpi_comm *of);

/* Open the collectives' view of the ranks of a group, which have no communicator yet, or have one more; to be
 * ended by uno_comm_disconnect. */
void uno_comm_open(struct uno_comm *c, const struct uno_mpi_group *group);

/* The number of a communicator that these ranks will have, all of which call it: one that is free at each of
 * them. -1: there is none; uno_comm_no_id() says so. */
int uno_comm_agree(struct uno_comm *all);
int uno_comm_no_id(void);

/* The ranks of two groups that have none in common: those of the group with the lower first PE, and then
 * those of the other one. */
struct uno_mpi_group *uno_comm_union(struct uno_mpi_group *a, struct uno_mpi_group *b);

#endif

/* The exchanges by which ranks make a communicator. */

#ifndef UNO_MPI_AGREE_H
#define UNO_MPI_AGREE_H

#include "library/communicator/make.h"

/* Return a number that no rank has, chosen by this one. All of its numbers are in use before one comes round,
 * which is long after all ranks have freed its communicator. UNO_ID_NONE: this rank holds communicators of
 * all of them. */
enum { UNO_CHOICES = 1 << 16 };
int uno_comm_id_choose(void);

/* Ranks that make a communicator, all of which call the functions below in the same order. Their exchanges
 * are meetings; or, where ranks have threads or data are too large for the unit, messages of that context and
 * tag, so that several may be under way. */
struct uno_makers {
    struct uno_comm *all;
    uint32_t context;
    int tag;
};

/* Return all ranks of a communicator as such. */
struct uno_makers uno_makers_of(struct uno_mpi_comm *comm);

/* Return those of a group that have no communicator of their own, with a view for collectives at `all`, which
 * uno_comm_disconnect ends. parent: a communicator that all are in, in which no other call with this tag is
 * under way; NULL: there is none. */
struct uno_makers uno_makers_in(struct uno_comm *all, const struct uno_mpi_group *group,
                                const struct uno_mpi_comm *parent, int tag);

/* Give all ranks the bytes of each, in their order; or those of one of them. */
void uno_makers_collect(const struct uno_makers *makers, const void *mine, size_t bytes, void *all);
void uno_makers_pass(const struct uno_makers *makers, int from, void *data, size_t bytes);

/* Exchange bytes with another rank. Returns the error of the message that has come. */
int uno_makers_swap(int pe, uint32_t context, int tag, const void *out, size_t bytes, void *in, size_t room);

/* Return the number of a communicator that these ranks will have: one that is free at each of them. -1: there
 * is none; uno_comm_no_id() says so. */
int uno_makers_agree(const struct uno_makers *makers);

/* Make a communicator of the same ranks, for the library's own messages and collectives among them; all of
 * them call it. NULL: there is no number for it; uno_comm_no_id() says so. */
struct uno_mpi_comm *uno_comm_own(struct uno_mpi_comm *comm);

#endif

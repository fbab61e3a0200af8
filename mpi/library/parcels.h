/* Blocks to some ranks and from some, by messages: what neighbourhood collectives are, and those of
 * intercommunicators are made of. They go in a context of their own, apart from the program's messages. */

#ifndef UNO_MPI_PARCELS_H
#define UNO_MPI_PARCELS_H

#include "library/topology.h"

/* A block to or from a rank, of those that the communicator's messages go to. What has the same ends and way
 * is received in the order in which it is sent. */
struct uno_parcel {
    int rank; /* MPI_PROC_NULL: it goes nowhere */
    int way;
    struct uno_data data;
};

/* Send all of `out`, and receive all of `in`. Its call is MPI_ERR_TRUNCATE if one does not fit. signature:
 * what this rank waits in. */
int uno_parcels_exchange(struct uno_mpi_comm *comm, const struct uno_parcel *out, int outs,
                         const struct uno_parcel *in, int ins, unsigned signature);

/* ---- the blocks of a call ---------------------------------------------------------------------------------
 */

/* What a call sends, or what it receives: a parcel for each of some edges. name: "send". */
struct uno_side {
    const char *name;
    int count;
    struct uno_parcel *parcel;
};

struct uno_side uno_side_of(const char *name, int count, const struct uno_edge *edge);

/* The data of its parcels, all of one size, each `step` of those behind the one before: 1, or 0: the same for
 * all. */
int uno_side_fill(struct uno_side *side, const void *at, MPI_Count count, const struct uno_mpi_type *type,
                  int step);

/* The same, each of its own size; and of its own type, if types is not NULL: places are then in bytes. */
int uno_side_fill_each(struct uno_side *side, const void *at, struct uno_numbers counts,
                       struct uno_numbers places, const struct uno_mpi_type *type, const MPI_Datatype *types);

/* uno_parcels_exchange, unless there is an error already; and the end of both sides. */
int uno_sides_exchange(struct uno_mpi_comm *comm, struct uno_side *out, struct uno_side *in, int error,
                       unsigned signature);

#endif

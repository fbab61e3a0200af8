/* The recording of the calls of an MPI program, between MPI_ and PMPI_: what does not depend on the ABI. The
 * entries of an ABI, which are made from the table of functions (table/observe.py), go through a call so:
 *
 *     uno_seen_enter        it begins
 *     uno_seen_send ...     what it, or the request that it makes, is about
 *     uno_seen_go           now the MPI library works,
 *     uno_seen_back         and has done so
 *     uno_seen_keep ...     what has come of it
 *     uno_seen_leave
 *
 * A handle is passed as a number. Ranks are those of the communicator. */

#ifndef UNO_OBSERVE_H
#define UNO_OBSERVE_H

#include "abi.h"
#include "requests.h"

/* A call that runs. */
struct uno_seen_mpi {
    struct uno_seen_call call;
    struct uno_seen_known *comm; /* NULL: it has none */
    struct uno_seen_about about;
    bool is_long;
    uint64_t bytes;            /* that this call sends */
    uint64_t few[16], *handle; /* of the requests that the call may complete, before it */
    long handles;
};

/* The names of all functions, by their numbers. */
extern const char *const uno_seen_names[];
extern const unsigned uno_seen_functions;

/* ---- the run ----------------------------------------------------------------------------------------- */

/* Begin and end the recording: behind MPI_Init, and before the end of MPI_Finalize. threads: several threads
 * may call at the same time. */
void uno_seen_start(int rank, int size, bool threads);
void uno_seen_finish(void);

/* ---- a call ------------------------------------------------------------------------------------------ */

/* Begin a call. Return false if it is not to be recorded: nothing is, or the MPI library itself calls. comm:
 * 0: the function has none. frame: of the entry. */
bool uno_seen_enter(struct uno_seen_mpi *m, unsigned function, const void *address, const void *frame,
                    uint64_t comm);

void uno_seen_send(struct uno_seen_mpi *m, int to, int tag, uint64_t bytes);
void uno_seen_receive(struct uno_seen_mpi *m, int from, int tag);
void uno_seen_meet(struct uno_seen_mpi *m, int root, uint64_t bytes);

/* The call may complete so many requests, whose handles the caller sets behind this. */
void uno_seen_look(struct uno_seen_mpi *m, long count);

/* Return true if a status is needed, by which a message from any rank tells from where it has come. */
bool uno_seen_asks_status(const struct uno_seen_mpi *m);

/* The call starts a persistent request. */
void uno_seen_restart(struct uno_seen_mpi *m, uint64_t request);

/* persistent: the call makes a persistent request, and begins nothing. */
void uno_seen_go(struct uno_seen_mpi *m, bool persistent);
void uno_seen_back(struct uno_seen_mpi *m);

/* The call itself has received a message from there. */
void uno_seen_got(struct uno_seen_mpi *m, int from, int tag);

/* The call has made this request. */
void uno_seen_keep(struct uno_seen_mpi *m, uint64_t request, bool persistent);

/* A request, by its place among the handles, is complete; source: from where its message has come. */
void uno_seen_done(struct uno_seen_mpi *m, long i, int source, int tag);

/* A request is freed. */
void uno_seen_forget(uint64_t request);

/* A communicator was made, freed, or has another name. */
void uno_seen_made(struct uno_seen_mpi *m, uint64_t comm);
void uno_seen_freed(uint64_t comm);
void uno_seen_named(uint64_t comm);

void uno_seen_leave(struct uno_seen_mpi *m);

/* Return the bytes of so many elements of a type; of elements of counts, of one type for each peer. */
uint64_t uno_seen_bytes(int64_t count, uint64_t type);

/* A type is freed, whose handle may be used for another one. */
void uno_seen_forget_types(void);

/* Return the size of the call's communicator: of the peers, and of the own group, which are the same but
 * between two groups. */
int uno_seen_peers(const struct uno_seen_mpi *m);
int uno_seen_members(const struct uno_seen_mpi *m);

/* Return true if this rank is the root of that number; if it gives data to such a root. */
bool uno_seen_is_root(const struct uno_seen_mpi *m, int root);
bool uno_seen_gives(const struct uno_seen_mpi *m, int root);

#endif

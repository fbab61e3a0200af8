/* The recording of the calls of a program, by entries in front of a library: those of an ABI of MPI, made
 * from the table of functions (mpi/library/table/observe.py), and those of <papers.h> and its relatives
 * (pes/). An entry goes through a call so:
 *
 *     uno_seen_enter        it begins
 *     uno_seen_send ...     what it, or the request that it makes, is about
 *     uno_seen_go           now the library works,
 *     uno_seen_back         and has done so
 *     uno_seen_keep ...     what has come of it
 *     uno_seen_leave
 *
 * A handle is passed as a number. Ranks are those of the communicator. */

#ifndef UNO_SEEN_CALL_H
#define UNO_SEEN_CALL_H

#include "below.h"
#include "requests.h"

/* A call that an entry passes on. */
struct uno_seen_passed {
    struct uno_seen_call call;
    struct uno_seen_known *comm; /* NULL: it has none */
    struct uno_seen_about about;
    bool is_long;
    uint64_t bytes;            /* that this call sends */
    uint64_t few[16], *handle; /* of the requests that the call may complete, before it */
    long handles;
    uint64_t freed; /* a communicator, window or file; 0: none */
};

/* ---- the run ----------------------------------------------------------------------------------------- */

/* Begin and end the recording: behind MPI_Init, and before the end of MPI_Finalize, or with p_init and
 * p_exit. threads: several threads may call at the same time. */
void uno_seen_start(const struct uno_seen_below *abi, int rank, int size, bool threads);
void uno_seen_finish(void);

/* ---- a call ------------------------------------------------------------------------------------------ */

/* Begin a call. Return false if it is not to be recorded: nothing is, or the library itself calls. comm:
 * 0: the function has none. frame: of the entry. */
bool uno_seen_enter(struct uno_seen_passed *m, unsigned function, const void *address, const void *frame,
                    uint64_t comm);

void uno_seen_send(struct uno_seen_passed *m, int to, int tag, uint64_t bytes);

/* takes: the message is received, not only looked for. */
void uno_seen_receive(struct uno_seen_passed *m, int from, int tag, bool takes);

void uno_seen_meet(struct uno_seen_passed *m, int root, uint64_t bytes);

/* The call may complete so many requests, whose handles the caller sets behind this. */
void uno_seen_look(struct uno_seen_passed *m, long count);

/* Return true if a status is needed, by which a message from any rank tells from where it has come. */
bool uno_seen_asks_status(const struct uno_seen_passed *m);

/* The call starts a persistent request. */
void uno_seen_restart(struct uno_seen_passed *m, uint64_t request);

/* persistent: the call makes a persistent request, and begins nothing. */
void uno_seen_go(struct uno_seen_passed *m, bool persistent);
void uno_seen_back(struct uno_seen_passed *m);

/* The call itself has received a message from there. */
void uno_seen_got(struct uno_seen_passed *m, int from, int tag);

/* The call has matched a message from there, which a later call is to receive. */
void uno_seen_matched(struct uno_seen_passed *m, uint64_t message, int from, int tag);

/* The call has received such a message, or has made a request that does; request: 0: none. */
void uno_seen_take(struct uno_seen_passed *m, uint64_t message, uint64_t request);

/* The call has made this request. */
void uno_seen_keep(struct uno_seen_passed *m, uint64_t request, bool persistent);

/* A request, by its place among the handles, is complete; source: from where its message has come. */
void uno_seen_done(struct uno_seen_passed *m, long i, int source, int tag);

/* A request is freed. */
void uno_seen_forget(uint64_t request);

/* A communicator was made, freed, or has another name. The call may be about the one that is freed: it is
 * forgotten when the call is over. */
void uno_seen_made(struct uno_seen_passed *m, uint64_t comm);
void uno_seen_freed(struct uno_seen_passed *m, uint64_t comm);

/* A window or a file was made, in which the members of the call's communicator meet. */
void uno_seen_opened(struct uno_seen_passed *m, uint64_t object, const char *what);
void uno_seen_named(uint64_t comm);

void uno_seen_leave(struct uno_seen_passed *m);

/* Return the bytes of so many elements of a type; of elements of counts, of one type for each peer. */
uint64_t uno_seen_bytes(int64_t count, uint64_t type);

/* A type is freed, whose handle may be used for another one. */
void uno_seen_forget_types(void);

/* Return the size of the call's communicator: of the peers, and of the own group, which are the same but
 * between two groups. */
int uno_seen_peers(const struct uno_seen_passed *m);
int uno_seen_members(const struct uno_seen_passed *m);

/* Return true if this rank is the root of that number; if it gives data to such a root. */
bool uno_seen_is_root(const struct uno_seen_passed *m, int root);
bool uno_seen_gives(const struct uno_seen_passed *m, int root);

#endif

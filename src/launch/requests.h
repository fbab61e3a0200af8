/* The requests of each rank of an MPI program: what it has begun and what is not complete, read from the
 * memory of its process while it runs. A rank is not stopped for this, so each request is shown as it was at
 * some moment. */

#ifndef UNO_REQUESTS_H
#define UNO_REQUESTS_H

#include "engine/caller.h"
#include "engine/cpython.h"
#include "pe_places.h"

enum uno_pending_kind {
    UNO_PENDING_SEND,
    UNO_PENDING_ASKING, /* a synchronous send */
    UNO_PENDING_RECEIVE,
    UNO_PENDING_PROBE, /* no request, but looks for a message that have found none */
    UNO_PENDING_COLLECTIVE,
    UNO_PENDING_OTHER, /* an operation of the program itself */
};

enum { UNO_PENDING_TEXT = 224 };

/* A communicator of a rank. */
struct uno_pending_comm {
    int id;                      /* the same at all its ranks, and the context of its messages */
    char name[UNO_PENDING_TEXT]; /* "MPI_COMM_WORLD" */
    uint32_t calls[2]; /* collectives that it has begun there: those that run once, and persistent ones */
    uint64_t member[UNO_WORDS];
};

struct uno_pending {
    enum uno_pending_kind kind;
    char name[UNO_SIGNATURE_TEXT]; /* of a collective: "MPI_Ibarrier" */
    int peer;                      /* a PE; UNO_WILD: any, or none */
    int rank;                      /* its rank in the communicator */
    int tag;                       /* UNO_WILD: any, or none */
    uint64_t bytes; /* of the data, or the room for them; of a collective: of this rank's part */
    const struct uno_pending_comm *comm; /* NULL: it has none */
    bool matched;                        /* the message has been matched, and its data are still to come */
    bool again;                          /* of a collective: it is persistent */
    uint32_t number;                     /* of a collective: how many of its kind the rank has begun before */
    uint64_t times;                      /* of UNO_PENDING_PROBE */
    uint64_t from;                       /* the address behind the call in the rank's process; 0: not known */
    struct uno_cpython_at python;        /* likewise in a program of Python's */
    char place[UNO_CALLER_TEXT];         /* "by main at ring.c:12"; empty: not known */
};

/* The requests of one rank. */
struct uno_pending_rank {
    bool is;   /* the PE is a rank, between MPI_Init and the end of MPI_Finalize */
    int error; /* errno: its memory cannot be read; otherwise 0 */
    bool ends; /* it is in MPI_Finalize */
    struct uno_pending *request;
    size_t requests;
    struct uno_pending_comm *comm;
    size_t comms;
};

/* The requests of all PEs. */
struct uno_requests {
    int n;
    struct uno_pending_rank *rank;
};

/* Return true if the requests of a rank could be read, whose record is at that address in its process. The
 * fields of *seen are zeros before; the arrays are freed by the caller. On failure errno says why. */
typedef bool uno_pending_read(pid_t process, uint64_t at, struct uno_pending_rank *seen);

/* Register the function that reads the ranks of a library, which is linked into the launcher. */
#define UNO_PENDING_REGISTER(read)                                                                           \
    static uno_pending_read *const read##_registered __attribute__((section("uno_pending"), used)) = (read)

/* Read the requests of all PEs. place: of uno_places. lines: find the lines of the program, for which there
 * are UNO_CALLERS_NS. Returns true if there was memory; freed by uno_requests_free in any case. */
bool uno_requests_look(struct uno_requests *requests, const struct uno_mail *mail,
                       const struct uno_place *place);
void uno_requests_free(struct uno_requests *requests);

/* Return the communicator of a rank that has that number; NULL: it has none. */
const struct uno_pending_comm *uno_pending_comm_of(const struct uno_pending_rank *rank, uint32_t id);

#endif

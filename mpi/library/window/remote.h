/* The state of a window whose ranks ask each other for accesses: ask.c is the origin's side, serve.c the
 * target's.
 */

#ifndef UNO_MPI_REMOTE_H
#define UNO_MPI_REMOTE_H

#include "library/object/op.h"
#include "library/window/messages.h"
#include "library/window/stream.h"

enum uno_ask_for {
    UNO_ASK_WRITE,
    UNO_ASK_READ,
    UNO_ASK_COMBINE,
    UNO_ASK_SWAP,
    UNO_ASK_LOCK,
    UNO_ASK_UNLOCK,
    UNO_ASK_WHETHER_DONE,
};

/* A request. It is short, so that it goes in one line of a ring with a number or two. The list of runs, if
 * there are several, and the data follow in the same message, or, if they are long, in others. */
struct uno_ask {
    unsigned char what; /* enum uno_ask_for */
    bool answers;       /* an answer is wanted */
    bool exclusive;     /* of locks */
    bool gives;         /* data follow */
    uint16_t op, basic; /* the handles, which are numbers for predefined objects */
    uint32_t number;    /* below UNO_WIN_NUMBERS */
    uint32_t runs;
    uint64_t place; /* of the only run, or where all are counted from */
    uint64_t bytes; /* of all runs */
};
_Static_assert(sizeof(struct uno_ask) == 32, "a line has room for it and a number or two");

/* A message with a request, and room for what follows. */
struct uno_ask_message {
    struct uno_ask ask;
    char more[4096] __attribute__((aligned(16)));
};

/* Return the bytes of the list of runs that follows, and of the data. */
static inline size_t uno_ask_list(const struct uno_ask *ask) {
    return ask->runs > 1 ? ask->runs * sizeof(struct uno_run) : 0;
}
static inline size_t uno_ask_data(const struct uno_ask *ask) {
    return !ask->gives ? 0 : ask->what == UNO_ASK_SWAP ? 2 * ask->bytes : ask->bytes;
}

/* An answer that has not come. */
struct uno_awaited {
    struct uno_awaited *next; /* of the same target, in the order of their numbers */
    uint64_t number;
    struct uno_receive receive;      /* its mark is an error, or MPI_SUCCESS */
    struct uno_stream to;            /* the elements that it goes to */
    struct uno_mpi_request *request; /* that is done by it; or NULL */
};

/* A target, as this rank, its origin, knows it. */
struct uno_asked_target {
    struct uno_awaited *first, **last;
    bool unanswered; /* something has been asked for since, that has no answer */
};

struct uno_remote {
    struct uno_mpi_win *win;
    struct uno_remote *next; /* of the rank's windows that are so */
    /* as an origin */
    struct uno_asked_target *target; /* of each rank */
    uint64_t number;                 /* requests ever */
    size_t awaited;                  /* answers that have not come */
    int error, failed; /* the first error that was answered since the last one was told, and by whom */
    /* as a target: what it does for others, one after the other */
    struct uno_receive receive;
    enum { UNO_AWAITS_ASK, UNO_AWAITS_LIST, UNO_AWAITS_DATA } awaits;
    int origin; /* the PE that asks */
    struct uno_ask_message message;
    struct uno_run only;  /* the run, if it is one */
    struct uno_run *list; /* of several runs that do not follow in the message; or NULL */
    char *data;           /* likewise; or NULL */
    bool placed;          /* the data go straight to the window */
    int *refused;         /* of each PE as an origin: the first error of what has no answer */
};

/* Complete the answers that have come. Returns true if there were any. */
bool uno_ask_settle(struct uno_remote *remote);

#endif

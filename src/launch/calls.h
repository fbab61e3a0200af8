/* The recorded calls of a job's ranks, summed up when all have ended. */

#ifndef UNO_CALLS_H
#define UNO_CALLS_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "observe/index.h"
#include "observe/share.h"
#include "recorded.h"

struct uno_places;

enum { UNO_PLACE_TEXT = 512 };

/* A function that is called at one place, by all ranks together. Times are in ns. */
struct uno_call_site {
    char *function, *place; /* "MPI_Recv", "src/cg.c:211" */
    int number;             /* in the order in which they were found */
    uint64_t calls, bytes, unfinished;
    double ns, longest, waited[UNO_SEEN_WAITS], all_waited;
    struct uno_call_part {
        uint64_t calls, bytes;
        double ns, waited;
    } * rank; /* of each rank */
};

/* The waits at one place for one rank. */
struct uno_call_blame {
    int site, wait, rank, other; /* other: the site of that rank at which it came; -1: not known */
    bool through;                /* for a rank that came late since it had waited for that one */
    uint64_t count;
    double ns, outside; /* outside: that the rank has spent in the program just before, */
    double known;       /* of so much of ns: only ranks of its machine know it */
    int waiters;
    struct uno_call_waiter {
        int rank;
        uint64_t count;
        double ns;
    } * waiter; /* the ranks that have waited so, the one that waited longest first */
};

struct uno_call_comm {
    uint64_t id;
    char name[UNO_SEEN_NAME];
    int size;
    uint64_t calls, bytes;
    double ns, waited;
};

struct uno_call_rank {
    bool recorded;
    uint64_t calls;
    double ran, inside, waited, waited_for;
    int in;        /* the site of the call in which it ended; -1: in none */
    double in_for; /* and since when it was in it */
};

/* The ticks of a rank's machine. */
struct uno_calls_clock {
    uint64_t ticks_began, now; /* a moment, and the end of the job there */
    int64_t ns_began;          /* CLOCK_MONOTONIC of this process at that moment */
    double scale;              /* ns of a tick */
};

/* Facts about the ranks of a job on several machines that are not in their records. */
struct uno_calls_far {
    struct uno_seats seats;
    const struct uno_calls_clock *clock; /* of each node */
    /* of each rank UNO_SEEN_SITES places, as their machines have found them; NULL: there is no such site */
    char *const *place;
};

struct uno_calls {
    const struct uno_seen_memory *memory;
    const struct uno_calls_far *far; /* NULL: all ranks are of this machine */
    int n;
    bool pes;                      /* the ranks are PEs of <papers.h>, and all that were recorded called it */
    struct uno_calls_clock *clock; /* of each rank */
    struct uno_index site_index, blame_index; /* while it is summed up */
    int sites, blames, comms;
    struct uno_call_site *site; /* the one that waited most first */
    int *site_of; /* the number of each site of each rank among these, UNO_SEEN_SITES of a rank; -1: none */
    struct uno_call_blame *blame; /* likewise */
    struct uno_call_comm *comm;
    struct uno_call_rank *rank;
    uint64_t calls;
    double ran, inside, waited; /* of all ranks */
    uint64_t other_count;       /* waits of more places and for more ranks than are recorded apart */
    double other_ns;
};

/* Sum up; NULL: no rank has recorded a call, a rank has written over the memory, or memory is short. All
 * ranks have ended. far: if they are of several machines; it stays until uno_calls_free. */
struct uno_calls *uno_calls_sum(const struct uno_seen_share *share, const struct uno_calls_far *far);
void uno_calls_free(struct uno_calls *calls);

/* Return the clock of the ranks of this machine now. */
struct uno_calls_clock uno_calls_clock_here(const struct uno_seen_memory *memory);

/* Write the place of a site of rank k, of this machine. */
void uno_calls_place(struct uno_places *places, const struct uno_seen_rank *rank, uint32_t number, char *text,
                     size_t bytes);

/* Return the nodes of the ranks; NULL: all are of this machine. */
static inline const struct uno_seats *uno_calls_seats(const struct uno_calls *calls) {
    return calls->far ? &calls->far->seats : NULL;
}

/* Return the name of a reason to wait: "late sender" ... */
const char *uno_calls_wait(int wait);

/* Write one sentence that says what to look at. */
void uno_calls_sentence(const struct uno_calls *calls, char *text, size_t bytes);

/* Write the ten places that waited most, and the ranks, for users. teller: begins the first line, "unisono
 * run"; NULL: the line and the ranks are left out, behind a table that has them. */
void uno_calls_table(FILE *f, const char *teller, const struct uno_calls *calls);

/* Return all of it; NULL: memory is short. */
json_t *uno_calls_json(const struct uno_calls *calls);

#endif

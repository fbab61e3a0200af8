/* The recorded calls of a job's ranks, summed up when all have ended. */

#ifndef UNO_CALLS_H
#define UNO_CALLS_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "observe/index.h"
#include "observe/share.h"

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
    double ns, outside; /* outside: that the rank has spent in the program just before */
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

struct uno_calls {
    const struct uno_seen_memory *memory;
    int n;
    bool pes;     /* the ranks are PEs of <papers.h>, and all that were recorded called it */
    double scale; /* ns of a tick */
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
 * ranks have ended. */
struct uno_calls *uno_calls_sum(const struct uno_seen_share *share);
void uno_calls_free(struct uno_calls *calls);

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

/* The state of one PE: what it knows by itself. Reached through one thread-local pointer, so that PEs can be
 * processes or threads. */

#ifndef UNO_PE_H
#define UNO_PE_H

#include "copy.h"
#include "environment.h"
#include "job.h"

#define UNO_LIKELY(x) __builtin_expect(!!(x), 1)
#define UNO_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define UNO_COLD __attribute__((cold, noinline))

struct uno_unit;
struct uno_channel;
struct uno_arrays;
struct uno_files;

/* A barrier mask and what follows from it. */
struct uno_group {
    uint64_t mask[UNO_WORDS];
    uint64_t id; /* the mask, or in a wide job a hash of it */
    int size;    /* members */
    int rank;    /* members before this PE */
    int first;   /* the lowest member */
    int other;   /* of two members the one that is not this PE; otherwise -1 */
};

/* The kernel may let this PE copy from and to the memory of another one's process: reach.h. */
struct uno_reach {
    enum { UNO_REACH_UNTRIED, UNO_REACH_ALLOWED, UNO_REACH_REFUSED } state;
    uint64_t seen; /* CLOCK_MONOTONIC ns at which that was last seen to be its process */
};

struct uno_pe {
    const struct uno_unit *unit; /* that carries the operations of the faces; NULL: it has none */
    struct uno_job *job;
    struct uno_board *board; /* this PE's */
    struct uno_rest *rest;   /* rest.h; NULL: nobody looks */
    int me, n;
    uint64_t posted; /* sequence number of this PE's last post */
    unsigned run;    /* posts since the group changed, counted up to UNO_SLOTS */
    int polls; /* of a post, before anything else is tried; 0 unless spin, and where each wait is recorded */
    bool spin; /* as many processors as PEs: wait without giving the processor away */
    bool ends; /* in uno_fail, or in an exit handler that runs since */
    bool together; /* known to be in one scheduling group with the others: a processor given away is theirs */
    bool sleeps_on_one; /* known: the kernel has no sleep on two words */
    unsigned given;     /* times that it gave its processor away, counted round */
    uint64_t spread;    /* CLOCK_MONOTONIC ns before which it does not look for another one again */
    /* What else this PE has to do while it waits, called again and again. Returns whether there was
     * something. Optional. */
    bool (*progress)(struct uno_pe *pe);
    uno_atomic64 *bell; /* bell.h: rung when there is something; NULL: nobody tells, and it must look */
    struct uno_channel *channel;          /* for messages; NULL before the first */
    unsigned queued;                      /* what it has to write when there is room in rings */
    struct uno_arrays *arrays;            /* that others reach; NULL before the first */
    struct uno_files *files;              /* that it has opened with others; NULL before the first, */
    void (*end_files)(struct uno_pe *pe); /* otherwise called when the PE leaves, to free them */
    struct uno_handed memory;             /* the job's memory; descriptor -1: there was no launcher */
    const struct uno_unit *recorded;      /* the unit, while `unit` records what it does; otherwise NULL */
    uint64_t began;                       /* CLOCK_MONOTONIC ns at which it became a PE */
    struct uno_group group;
    /* In the same memory as this structure: a process that gets the processor finds no page translated. */
    uint64_t *seen;      /* for each PE: sequence number of its last post that was read or passed over */
    const void **data;   /* the present operation's data, member by member in PE order */
    int wanted;          /* of a putget: the PE whose data it wants */
    struct uno_rtl *rtl; /* its port of a simulated unit; NULL: it is in no such job */
    uint64_t stopped;    /* the interrupt that it has acknowledged and that is not over; 0: none */
    const struct uno_unit *carrier; /* the unit, while `unit` is that of a handler */
    void (*handle)(struct uno_pe *pe,
                   const uint64_t *cause);       /* runs the program's handler; NULL: it has none */
    void (*on_interrupt)(const uint64_t *cause); /* that */
    void (*on_error)(const char *message);       /* instead of the end by an error; NULL: none */
    void (*on_wait)(uint64_t ns);                /* called while it waits; NULL: none */
    /* Writes the call of the program that the PE is in, with its arguments. False: only its signature is
     * known. NULL: likewise. */
    bool (*describe)(const struct uno_pe *pe, unsigned signature, char *text, size_t bytes);
    /* Whether its operation, by its signature, fits that of a member with another one. NULL: it does not. */
    bool (*fits)(const struct uno_pe *pe, unsigned signature, unsigned theirs);
    uint64_t sample;                /* of reach.h: a word that others look for in this process, */
    struct uno_reach *reach;        /* and what it knows of each PE's; in the same memory, too */
    struct uno_copies copies;       /* of blocks from where they are to where they go */
    struct uno_copies permutations; /* of the rows of a permutation */
};

/* The calling thread's PE. Never NULL: before p_init and after p_exit it is a PE of the unit `outside`, whose
 * group is empty. */
extern _Thread_local struct uno_pe *uno_self;

/* What uno_self points to after p_exit. */
extern struct uno_pe uno_pe_after;

/* And in a child that a PE's thread has made by fork. */
extern struct uno_pe uno_pe_forked;

/* "before p_init", "after p_exit" or what a child is told, for a PE of the unit `outside`. */
const char *uno_pe_when(const struct uno_pe *pe);

#endif

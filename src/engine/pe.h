/* The private state of one PE. It is reached through one thread-local pointer, so that PEs can be processes
 * or threads. */

#ifndef UNO_PE_H
#define UNO_PE_H

#include "copy.h"
#include "expect.h"
#include "environment.h"
#include "job.h"

struct uno_unit;
struct uno_channel;
struct uno_shifts;
struct uno_arrays;
struct uno_files;
struct uno_far;
struct uno_nodes_state;
struct uno_function;

/* A barrier mask and what follows from it. */
struct uno_group {
    uint64_t id; /* the mask, or in a wide job a hash of it */
    int size;    /* members */
    int rank;    /* members before this PE */
    int first;   /* the lowest member */
    int other;   /* of two members the one that is not this PE; otherwise -1 */
    uint64_t mask[UNO_WORDS];
};

/* This PE's permission to copy from and to the memory of another PE's process, tried once for each PE
 * (reach.h). */
struct uno_reach {
    enum { UNO_REACH_UNTRIED, UNO_REACH_ALLOWED, UNO_REACH_REFUSED, UNO_REACH_GONE } state;
    uint64_t seen; /* CLOCK_MONOTONIC ns at which the process id last was known to be that PE's */
};

struct uno_pe {
    const struct uno_unit *unit; /* the unit that carries the operations of the faces; NULL: none */
    struct uno_job *job;
    struct uno_board *board; /* this PE's board */
    struct uno_rest *rest;   /* rest.h; NULL: nobody reads it */
    uno_atomic32 *processor; /* of each PE: uno_job_processor */
    int me, n;
    int here;                      /* PEs on this node: n, unless the job is on several machines */
    struct uno_nodes_state *nodes; /* of unit/nodes.c; NULL: the job is on one machine */
    struct uno_far *far;           /* the endpoint for PEs on other nodes (far/far.h); NULL: there are none */
    /* the group of the operation, while `group` has only its members on this node; otherwise NULL */
    const struct uno_group *whole;
    uint64_t posted; /* sequence number of this PE's last post */
    unsigned run;    /* posts since the group changed, counted up to UNO_SLOTS */
    unsigned told;   /* slots whose posts are those of uno_board_tell, a bit for each */
    /* looks at a post before anything else is tried; 0 unless spin, and where each wait is recorded */
    int polls;
    bool spin; /* as many processors as PEs: wait without giving the processor away */
    bool ends; /* the PE is in uno_fail, or in an exit handler that runs since */
    /* known to be in one scheduling group with the others: a processor given away goes to them */
    bool together;
    bool sleeps_on_one; /* known: the kernel cannot sleep on two words */
    unsigned given;     /* times that the PE gave its processor away, modulo 2^32 */
    uint64_t spread;    /* CLOCK_MONOTONIC ns before which the PE does not look for another processor again */
    /* Do the other work that the PE has while it waits; a wait calls this again and again. Returns true if
     * there was some. Optional. */
    bool (*progress)(struct uno_pe *pe);
    /* bell.h: rung when there is work for `progress`; NULL: nobody rings, and the PE must look */
    uno_atomic64 *bell;
    /* Take in what has come from other nodes. Returns true if there was anything. NULL: there are none. */
    bool (*hear)(struct uno_pe *pe);
    /* Called before each sleep on the bell: have watched what cannot ring it. Returns false if there is
     * something to do instead of the sleep. Optional. */
    bool (*watch)(struct uno_pe *pe);
    /* Return true if there is something that this PE will send to another node when the network has room.
     * NULL: there never is. */
    bool (*owes)(struct uno_pe *pe);
    /* Return true if PE k has left, and everything that it has sent is here. NULL: its board tells. */
    bool (*left)(struct uno_pe *pe, int k);
    /* its time is that of a simulated processor, and passes at its port alone: a wait sleeps there at once,
     * without looks that take time in vain */
    bool paced;
    /* Let a moment pass, since the program has looked in vain for something and will look again. NULL: the
     * processor is given away, or nothing is done. */
    void (*idle)(struct uno_pe *pe);
    struct uno_channel *channel; /* the PE's channel for messages; NULL before the first message */
    unsigned queued;             /* messages that it will write when there is room in rings */
    struct uno_shifts *shifts;   /* threads that are this PE in turn (shifts.h); NULL: it is one thread */
    struct uno_arrays *arrays;   /* arrays that other PEs reach; NULL before the first */
    /* the files that it has opened with others; NULL before the first */
    struct uno_files *files;
    void (*end_files)(struct uno_pe *pe); /* frees `files` when the PE leaves */
    struct uno_handed memory;             /* the job's memory; descriptor -1: there was no launcher */
    const struct uno_unit *recorded;      /* the unit, while `unit` records what it does; otherwise NULL */
    uint64_t began;                       /* CLOCK_MONOTONIC ns at which it became a PE */
    struct uno_group group;
    /* These lie in the same memory as this structure: a process that gets the processor has fewer pages to
     * translate. */
    uint64_t *seen;    /* for each PE: sequence number of its last post that was read or passed over */
    const void **data; /* the present operation's data, member by member in PE order */
    int wanted;        /* the PE whose data it wants, in a putget or from a root */
    /* what members learn in its present operation, where that does not follow from the signature; or NULL */
    const struct uno_function *function;
    struct uno_rtl *rtl;       /* its port of a simulated unit; NULL: none */
    struct uno_keeper *keeper; /* of its port at a board (unit/board/keeper.h); NULL: none */
    uint64_t stopped;          /* the interrupt that it has acknowledged and that is not over; 0: none */
    /* Take part in an interrupt of PEs on several nodes, as uno_interrupt_acknowledge. Returns the PE that is
     * waited for; -1: none is. NULL: there is one node. */
    int (*stop)(struct uno_pe *pe);
    const struct uno_unit *carrier; /* the unit, while `unit` is that of a handler */
    void (*handle)(struct uno_pe *pe,
                   const uint64_t *cause);       /* runs the program's handler; NULL: it has none */
    void (*on_interrupt)(const uint64_t *cause); /* the program's handler */
    void (*on_error)(const char *message);       /* called instead of ending by an error; NULL: none */
    void (*on_wait)(uint64_t ns);                /* called while it waits; NULL: none */
    /* Write the program's current call with its arguments. Returns false, as if this were NULL, if only its
     * signature is known. */
    bool (*describe)(const struct uno_pe *pe, unsigned signature, char *text, size_t bytes);
    /* Return true if this PE's operation fits that of a member with another signature. NULL: it never
     * does. */
    bool (*fits)(const struct uno_pe *pe, unsigned signature, unsigned theirs);
    uint64_t sample; /* a word that other PEs look for in this process (reach.h), */
    /* and this PE's knowledge of the other PEs' processes; in the same memory, too */
    struct uno_reach *reach;
    struct uno_copies copies;       /* trials for blocks copied to their destination */
    struct uno_copies permutations; /* trials for the rows of a permutation */
};

/* Return the group of the PE's operation, for reports. */
static inline const struct uno_group *uno_pe_group(const struct uno_pe *pe) {
    return pe->whole ? pe->whole : &pe->group;
}

/* Return true if PE k has left, and everything that it wrote has come: it reads and writes nothing more. */
static inline bool uno_pe_left(struct uno_pe *pe, int k) {
    /* SYNC LEFT: every post and message of PE k, and that it reads nothing more */
    return pe->left ? pe->left(pe, k) : uno_load32_acquire(&pe->job->board[k].state) == UNO_LEFT;
}

/* Return true if hardware carries the PE's operations, real or simulated, and no messages. */
static inline bool uno_pe_on_hardware(const struct uno_pe *pe) {
    return (pe->rtl && !pe->far) || pe->keeper;
}

/* The calling thread's PE. Never NULL: before p_init and after p_exit it is a PE of the unit `outside`, whose
 * group is empty. */
extern _Thread_local struct uno_pe *uno_self;

/* The PE that uno_self points to after p_exit. */
extern struct uno_pe uno_pe_after;

/* The PE that uno_self points to in a child that a PE's thread has forked. */
extern struct uno_pe uno_pe_forked;

/* Return "before p_init", "after p_exit" or the like for a forked child, for a PE of the unit `outside`. */
const char *uno_pe_when(const struct uno_pe *pe);

#endif

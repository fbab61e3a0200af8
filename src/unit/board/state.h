/* The keeper of a PE's port at a board: a thread beside the PE, which plays the part of the operating system
 * of a cluster. All keepers go through the same steps at the same time, so each knows the same of all PEs:
 * who is there, who has announced which operation, and which interrupt is not over. A PE learns nothing of
 * the others but from its keeper, and that nothing but from the five lines of its port.
 *
 * A *step* is two barriers. In it each keeper may pull any of the four data lines, and each learns which were
 * pulled by anyone. By steps keepers call the roll, check that their PEs are in the same operation, and carry
 * its data. */

#ifndef UNO_KEEPER_STATE_H
#define UNO_KEEPER_STATE_H

#include <pthread.h>

#include "engine/signature.h"
#include "pins.h"

enum {
    UNO_LINE_ASK = 8,  /* a data line that the roll leaves free */
    UNO_BOARD_PES = 4, /* as many as data lines, by which the roll is called */
    UNO_BOARD_CAUSES = 64,
    UNO_BOARD_FAILURE = 320,
};

/* The way in which the data of an operation go. */
enum uno_carriage {
    UNO_CARRY_NOTHING, /* a barrier */
    UNO_CARRY_OR,      /* the OR of one word of each */
    UNO_CARRY_PUT,     /* the same, and who has put */
    UNO_CARRY_ALL,     /* the bits of all members, one member after the other */
};

/* A PE's part of an operation, as its keeper announces it. */
struct uno_call {
    uint32_t mask; /* 0: none */
    unsigned signature;
    enum uno_carriage carriage;
    int bits; /* of each member */
};

enum uno_trouble { UNO_TROUBLE_NONE, UNO_TROUBLE_MISMATCH, UNO_TROUBLE_LEFT, UNO_TROUBLE_FAILED };

struct uno_keeper {
    struct uno_pe *pe;
    struct uno_pins pins;
    pthread_t thread;
    int me;
    uint32_t all; /* every PE of the job */

    /* Raised by the PE, at any moment and by a handler of signals, too; and those that all keepers know of.
     */
    uno_atomic64 raises, raised;
    uno_atomic64 bell;   /* of the PE (engine/bell.h), rung when its operation is over, or never will be */
    uno_atomic64 answer; /* the number of its last operation that is over */
    uno_atomic32 over;   /* the keeper has ended */
    /* the first member that has not announced the PE's operation, plus 1; 0: it is not known, as of one of
     * all, or there is none */
    uno_atomic32 missing;
    /* Between the PE and its keeper; what follows is written under this lock. */
    pthread_mutex_t lock;
    uint64_t number; /* of the PE's operations */
    struct uno_call call;
    uint64_t put[UNO_BYTES / 8];
    bool parts; /* the PE leaves */
    /* The answer. */
    uint64_t word[UNO_BOARD_PES][UNO_BYTES / 8]; /* of each member, in PE order */
    uint32_t putters;                            /* of the ranks of members */
    enum uno_trouble trouble;
    int other; /* the PE that it is about, */
    struct uno_call theirs;
    char failure[UNO_BOARD_FAILURE];
    uint32_t causes; /* interrupts that are over, so far */
    uint32_t cause[UNO_BOARD_CAUSES];
    uint32_t handled; /* by the PE */

    /* The keeper's own: what all keepers know alike, */
    uint32_t live; /* PEs that have come and not left; 0 before all have come */
    struct uno_call announced[UNO_BOARD_PES];
    uint32_t pending, acknowledged; /* who has raised the interrupt that is not over, and who has stopped */
    /* and of its own PE: */
    struct uno_call mine; /* the present operation */
    uint64_t taken;       /* its number */
    bool done;            /* it is over, and may wait for an interrupt */
    bool leaving;
    uint64_t rung;
    unsigned lines; /* that it drives */
};

#endif

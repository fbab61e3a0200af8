/* The memory that a PE shares with the process of a simulated unit: a port for each PE, through which it has
 * the process carry out port operations, each one write or read of a register of the unit. The ports lie in
 * the job's memory, behind the boards.
 *
 * A command is a list of posts: for each the process writes the post and reads the status until the unit is
 * ready, as a program would that has nothing else to do. So a PE needs one command, and no switch to another
 * process, for all posts that do not depend on each other's results. */

#ifndef UNO_PORT_H
#define UNO_PORT_H

#include "engine/job.h"

enum {
    UNO_PORT_POSTS = 256,  /* posts of one command */
    UNO_PORT_CAUSES = 64,  /* interrupts that can wait for a PE to run their handlers */
    UNO_PORT_MAX_PES = 16, /* PEs of any simulated unit */
};

/* The registers and their bits (rtl/papers_face.v). */
enum uno_register { UNO_POST, UNO_MASK, UNO_INTERRUPT, UNO_CONTROL };
enum uno_post {
    UNO_POST_NAND = 0,
    UNO_POST_PUTGET = 1,
    UNO_POST_WAITVEC = 2,
    UNO_POST_SOURCE = 2,
    UNO_POST_DATUM = 8
};
enum uno_status { UNO_READY = 1, UNO_MISMATCH = 2, UNO_PENDING = 8, UNO_ACKNOWLEDGED = 16, UNO_RESULT = 8 };
enum uno_interrupt { UNO_RAISE = 1, UNO_ACKNOWLEDGE = 2 };

enum uno_command {
    UNO_COMMAND_POSTS,
    UNO_COMMAND_BARRIER, /* one post, whose result is not read */
    /* at a tile of a mesh (unit/mesh/inbox.h): */
    UNO_COMMAND_SEND, /* the posts are the words of whole packets */
    UNO_COMMAND_LOOK, /* nothing but time */
    UNO_COMMAND_WAIT, /* until a message has come; the next command ends it, too */
    /* a wait that ends, too, when the command of the tile's port beside the network (unit/mesh/inbox.h) is
     * carried out: another one goes on with that command */
    UNO_COMMAND_VISIT,
};

struct uno_port {
    /* These are written by the PE: the posts, and everything else before `command`. */
    uno_atomic64 command; /* the number of its last command */
    uint64_t mask;        /* the PE's group */
    uint32_t what;        /* enum uno_command */
    uint32_t count;       /* posts */
    uno_atomic64 bell;    /* rung when the answer is there (engine/bell.h) */
    /* interrupts that the PE has raised; changes at any moment, also within a command */
    uno_atomic32 raises;

    /* These are written by the process of the unit, in a line of their own. */
    uno_atomic64 answer
        __attribute__((aligned(64)));    /* the number of the last command that it has carried out */
    uno_atomic64 operations;             /* port operations so far */
    uno_atomic32 interrupts;             /* interrupts that are over, so far */
    uno_atomic32 cause[UNO_PORT_CAUSES]; /* the PEs that raised interrupt i, at i % UNO_PORT_CAUSES */

    /* The lines at the pins of a modelled board: eight from the PE, and five to it (unit/board/pins.h). */
    uno_atomic32 lines __attribute__((aligned(64)));
    uno_atomic32 levels __attribute__((aligned(64)));

    /* The posts, written by the PE; then their results, written by the process. */
    uint32_t post[UNO_PORT_POSTS] __attribute__((aligned(64)));
};

struct uno_ports {
    double clock_mhz;    /* the clock that the user asked for; 0: none */
    double port_ns;      /* the time of a port operation that the user asked for; 0: none */
    int32_t clocks_each; /* clocks of the unit that a port operation takes */
    int32_t side[2];     /* columns and rows of a mesh, */
    char beside[16];     /* and the unit beside its network; empty: there is none */
    /* 1: every PE waits at its port or has left, and nothing is on its way. The process of a mesh says so,
     * and takes it back before it carries out a further command. */
    uno_atomic32 still;
    uno_atomic64 bell;   /* rung for the process */
    uno_atomic64 clocks; /* clocks that have passed */
    struct uno_port port[];
};

/* Return the bytes of the ports of n PEs, in whole pages. */
static inline size_t uno_ports_size(int n) {
    enum { PAGE = 4096 };
    return (sizeof(struct uno_ports) + (size_t)n * sizeof(struct uno_port) + PAGE - 1) / PAGE * PAGE;
}

static inline struct uno_ports *uno_ports(struct uno_job *job) {
    return (struct uno_ports *)(void *)((char *)job + job->ports_at);
}

#endif

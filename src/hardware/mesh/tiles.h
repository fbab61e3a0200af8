/* The tiles of a simulated mesh: what each PE does at its tile's registers, and what the interrupt handler of
 * its processor does there.
 *
 * Each tile has a time of its own, in clocks of the network. A command begins at the answer to the one before
 * it, and later by the work of the PE in between (unit/mesh/inbox.h). A word that a processor writes to its
 * registers, or reads from them, takes clocks_each clocks, since it is moved from memory or to it. While a
 * word waits in the registers the processor is interrupted, and takes INTERRUPT clocks before it reads the
 * first one; what it did before goes on when no word waits any more.
 *
 * The network's clock goes on when the next action of every tile is known. So nothing depends on when the
 * processes of PEs are run. Clocks in which nothing can happen, since the network is empty, are skipped. */

#ifndef UNO_TILES_H
#define UNO_TILES_H

#include "beside.h"
#include "model.h"
#include "unit/mesh/inbox.h"

enum uno_tile_stage {
    UNO_TILE_IDLE, /* it has no command */
    UNO_TILE_SENDS,
    UNO_TILE_LOOKS,
    UNO_TILE_WAITS,
    UNO_TILE_VISITS, /* is at the unit beside the network */
};

struct uno_tile {
    struct uno_port *port; /* NULL: no PE is at this tile */
    struct uno_inbox *inbox;
    enum uno_tile_stage stage;
    uint64_t taken;    /* the number of its last command */
    uint64_t answered; /* the clock of its last answer */
    uint64_t next;     /* the clock in which the command goes on */
    unsigned at;       /* words of the command that are in the network */
    bool gone;         /* the PE has left the job */
    bool away;         /* it sleeps, and not at its port */
    bool handles;      /* the handler runs, */
    uint64_t entered;  /* from this clock on, */
    uint64_t takes;    /* and takes its next word in this one */
    unsigned owed;     /* words of a packet that is coming in */
    bool last;         /* which is the last one of a message */
    uint32_t *word;    /* the words that have come, of which `given` are in the inbox, */
    size_t count, room, given;
    size_t whole;    /* and up to this one whole packets, */
    size_t complete; /* and whole messages */
};

struct uno_tiles {
    struct uno_job *job;
    struct uno_ports *ports;
    struct uno_mesh_model *model;
    int count;
    uint64_t clock;
    uint64_t words;            /* in the network */
    struct uno_beside *beside; /* the unit beside it; NULL: there is none */
    struct uno_tile *tile;
};

/* Set the tiles up with the PEs of a job. beside: the unit that they have, too, or NULL. Returns false if
 * there is no memory. */
bool uno_tiles_open(struct uno_tiles *tiles, struct uno_job *job, struct uno_mesh_model *model,
                    struct uno_beside *beside);

/* Look at all ports, as struct uno_driven has it. */
bool uno_tiles_look(struct uno_tiles *tiles);

/* Return true if every PE has left. */
bool uno_tiles_empty(const struct uno_tiles *tiles);

/* Go on to the end of a command, or by a clock. Returns false if there is no memory for what has come. */
bool uno_tiles_step(struct uno_tiles *tiles);

#endif

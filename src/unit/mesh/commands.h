/* The commands of a PE to its tile's port, and the time that its own work takes in between. Below messages
 * this is all that there is: a program that wants no library uses it by itself (bench/mesh/by_hand.c). */

#ifndef UNO_MESH_COMMANDS_H
#define UNO_MESH_COMMANDS_H

#include "engine/pe.h"
#include "inbox.h"

struct uno_at_tile {
    struct uno_pe *pe;
    struct uno_ports *ports;
    struct uno_port *port;
    struct uno_inbox *inbox;
    int columns;            /* tiles of a row */
    uint64_t commands;      /* ever */
    uint64_t rung;          /* engine/bell.h */
    bool counts;            /* somebody counts instructions (engine/count.h): */
    uint64_t counted;       /* those at the last answer, */
    uint64_t each;          /* and what it takes to count */
    uint64_t left;          /* and those at which uno_at_tile_set_timeless has begun */
    bool heard;             /* the last answer */
    enum uno_command waits; /* the command by which the PE waits */
};

void uno_at_tile_open(struct uno_at_tile *tile, struct uno_pe *pe);

/* Begin a command; `count` words of the port belong to it. The one before it is over, or is a wait. */
void uno_at_tile_begin(struct uno_at_tile *tile, enum uno_command what, unsigned count);

/* Return true if the last command has its answer. */
bool uno_at_tile_answered(const struct uno_at_tile *tile);

/* Wait for the answer, from which on the PE's instructions are work again: all that goes before is not.
 * Returns false if it may never come, or an interrupt or a fault is to be seen to first; without unless_vain
 * a fault ends the process. */
bool uno_at_tile_await(struct uno_at_tile *tile, bool unless_vain);

/* Let instructions take no time, until this is called with false. Between the two there is no command. */
void uno_at_tile_set_timeless(struct uno_at_tile *tile, bool timeless);

/* Begin a command, and wait for its answer. */
void uno_at_tile_carry_out(struct uno_at_tile *tile, enum uno_command what, unsigned count);

#endif

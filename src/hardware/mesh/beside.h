/* The PAPERS unit beside the network of a mesh, of which every tile has the registers, on the same clock. It
 * is simulated as it is without a mesh (hardware/model.h). */

#ifndef UNO_BESIDE_H
#define UNO_BESIDE_H

#include "hardware/model.h"
#include "unit/rtl/port.h"

enum uno_visit_stage {
    UNO_VISIT_OVER,
    UNO_VISIT_MASKS, /* writes its mask */
    UNO_VISIT_POSTS, /* writes the post */
    UNO_VISIT_LOOKS, /* reads the status until the unit is ready */
};

/* A processor at its registers of the unit, within a command. */
struct uno_visit {
    struct uno_port *port; /* NULL: no PE is at this tile */
    enum uno_visit_stage stage;
    unsigned at;   /* the index of the post that it is in */
    uint64_t mask; /* the mask that the unit has been told */
    /* the unit was not ready, and will not be before somebody writes */
    bool vain;
};

struct uno_beside {
    struct uno_model *model;
    int count;
    int quiet; /* clocks since a register was last written */
    struct uno_visit visit[UNO_PORT_MAX_PES];
};

/* Make the unit of this name, with the first n tiles checked in. Returns false if there is none. */
bool uno_beside_open(struct uno_beside *beside, const char *unit, int n);

/* Let tile k begin the command in its port, unless it is in the middle of one. */
void uno_beside_begin(struct uno_beside *beside, int k);

/* Let tile k write or read a register in the present clock. When all have, and the clock has been computed,
 * take the outcome: the stage then tells what comes next. */
void uno_beside_act(struct uno_beside *beside, int k);
void uno_beside_settle(struct uno_beside *beside);
void uno_beside_acted(struct uno_beside *beside, int k);

/* Go on to the next clock. */
void uno_beside_clock(struct uno_beside *beside);

/* Return true if nothing changes in the unit before somebody writes. */
bool uno_beside_rests(const struct uno_beside *beside);

#endif

/* A simulated unit and the PEs at its ports. Each PE does one port operation after the other, and all PEs do
 * theirs at the same time. */

#ifndef UNO_CRATE_H
#define UNO_CRATE_H

#include "model.h"
#include "unit/rtl/port.h"

/* The state of a PE in the parallel interrupt, which it has beside its stage. */
enum uno_alarm {
    UNO_CALM,
    UNO_ALARMED, /* it has seen an interrupt, and acknowledges it next */
    UNO_STOPPED, /* it has acknowledged, and other PEs have not */
    UNO_OVER,    /* all have acknowledged, and it reads next which PEs had raised it */
};

enum uno_stage {
    UNO_IDLE,    /* it has no command */
    UNO_QUEUED,  /* at a static unit: it waits for its group's turn */
    UNO_ENTERS,  /* at a static unit: it waits until all of its group are checked in */
    UNO_MASKS,   /* writes its mask */
    UNO_POSTS,   /* writes the post */
    UNO_WAITS,   /* reads the status until the unit is ready */
    UNO_READS,   /* reads the result by itself, where that follows the data lines */
    UNO_RELEASE, /* posts again, so that nobody changes its data before all have read */
    UNO_RELEASED,
};

/* A PE at its port. */
struct uno_seat {
    struct uno_port *port;
    enum uno_stage stage;
    enum uno_alarm alarm;
    uint64_t taken;  /* the number of its last command */
    uint32_t raised; /* interrupts that it has raised and the unit knows of */
    unsigned at;     /* index of the post that it is in */
    uint64_t mask;   /* the mask that the unit has been told */
    bool live;       /* checked in */
    bool gone;       /* it has left the job */
    bool away;       /* it sleeps, and not at its port: the clock does not wait for it */
    bool ready;      /* the post is over, and it only stays for an interrupt */
    bool heard;      /* in a round: it has found that there is no interrupt */
    /* the port operation of this step */
    bool acts, writes;
    unsigned address;
    uint32_t word;
    uint32_t result; /* the result, if it was read by itself */
};

struct uno_crate {
    struct uno_job *job;
    struct uno_ports *ports;
    struct uno_model *model;
    bool dynamic;  /* the unit has masks */
    bool follows;  /* the unit's results follow the data lines */
    bool round;    /* of a static unit: all are checked in because of an interrupt, and nobody posts */
    uint64_t turn; /* of a static unit: the PEs whose operation it carries */
    int quiet;     /* steps in which nothing has changed */
    struct uno_seat seat[UNO_PORT_MAX_PES];
};

/* Set the crate up with the PEs of a job. */
void uno_crate_open(struct uno_crate *crate, struct uno_job *job, struct uno_model *model);

/* Look at all ports. Return true if the clock may go on: every PE that is not away has a command, and
 * something can change. */
bool uno_crate_look(struct uno_crate *crate);

/* Return true if every PE has left. */
bool uno_crate_empty(const struct uno_crate *crate);

/* Carry out one port operation of each PE that has one. */
void uno_crate_step(struct uno_crate *crate);

#endif

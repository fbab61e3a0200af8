/* An agent: the launcher of one node, which a coordinator has started there and speaks with. */

#ifndef UNO_AGENT_H
#define UNO_AGENT_H

#include "give.h"
#include "job.h"

struct uno_agent {
    struct uno_told told;
    struct uno_link link;
    struct uno_bytes input; /* for PE 0, still to be written */
    int writes;             /* descriptor of the pipe to PE 0; -1: none */
    bool input_ended;
    uint64_t sent[3];           /* bytes of output and of errors that the coordinator has not taken yet */
    bool woken;                 /* addresses have come */
    bool asked;                 /* the coordinator has asked for the end of the job */
    bool rests;                 /* it is stopped, and its silence is no sign */
    int pulse;                  /* timer of the heartbeat: pulse.h */
    enum uno_quiet_state quiet; /* of the PEs here, as the coordinator was told last */
    uint64_t look;              /* the look that it has asked for; 0: none */
    struct uno_giving giving;   /* the records of the PEs here, at the end */
    uint32_t watched;           /* the events that are awaited of the link and of the pipe */
};

/* Greet the coordinator at the other end of standard input and output, and take in the job. Then standard
 * input is /dev/null, and standard output is standard error. Returns false if there is no coordinator, after
 * a message if somebody may read it. */
bool uno_agent_begin(struct uno_agent *agent);

#endif

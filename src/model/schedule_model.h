/* The cost of an operation of PEs on several nodes, as far as it lies between the nodes, by the schedules of
 * net/schedule.h and the LogGP model of a network (Alexandrov, Ionescu, Schauser, Scheiman, 1995).
 * docs/schedules.md explains it. */

#ifndef UNO_SCHEDULE_MODEL_H
#define UNO_SCHEDULE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "net/schedule.h"

enum { UNO_SCHEDULE_STEPS = 20 }; /* log2 of the most nodes, rounded up */

/* The network, in us. A leader takes `overhead` to send a message, and as long to receive one. Its network
 * interface sends the messages one after the other, one of k bytes for gap + (k - 1) per_byte, and receives
 * as well. The last byte arrives (k - 1) per_byte + latency after the start. */
struct uno_loggp {
    double latency, overhead, gap, per_byte; /* L, o, g, G */
};

/* An operation, as its messages see it: a row of the table. */
struct uno_schedule_op {
    const char *name, *text;
    enum uno_schedule_values values;
    bool nothing; /* it brings no values: a barrier */
    bool of_pes;  /* a node brings the values of all its PEs, and not one that they have been combined to */
};

enum uno_schedule_ops { UNO_OP_WAIT, UNO_OP_MAX, UNO_OP_SUM, UNO_OP_GATHER, UNO_SCHEDULE_OPS };
extern const struct uno_schedule_op uno_schedule_ops[UNO_SCHEDULE_OPS];

enum { UNO_SCHEDULE_PES = 1000000, UNO_SCHEDULE_TYPE = 1 << 20, UNO_SCHEDULE_HEADER = 1 << 16 };

/* An operation of so many PEs, up to UNO_SCHEDULE_PES. All nodes but the last have `per_node` of them. */
struct uno_schedule_case {
    const struct uno_schedule_op *op;
    int pes, per_node;
    int type;   /* bytes of a value, up to UNO_SCHEDULE_TYPE */
    int header; /* bytes of a message beside its values, up to UNO_SCHEDULE_HEADER */
};

/* All of the leaders' messages. */
struct uno_schedule_cost {
    int64_t messages, bytes; /* in all; bytes with the headers */
    int steps;
    double us; /* from when all leaders have their nodes' values until the last one has all others'. It is
                  that of full nodes, also if the last has fewer PEs. */
};

int uno_schedule_nodes(const struct uno_schedule_case *c);

/* Return true if the way is for this operation: census is for values that are combined once each. */
bool uno_schedule_is_for(const struct uno_schedule_case *c, enum uno_schedule_way way);

/* Return the bytes of message k that a leader sends, where all nodes are full. */
int64_t uno_schedule_bytes(const struct uno_schedule_case *c, const struct uno_schedule *schedule, int k);

/* Calculate what the operation costs. */
struct uno_schedule_cost uno_schedule_cost(const struct uno_schedule_case *c, enum uno_schedule_way way,
                                           const struct uno_loggp *net);

#endif

#include "schedule_model.h"

#include <math.h>

const struct uno_schedule_op uno_schedule_ops[UNO_SCHEDULE_OPS] = {
    [UNO_OP_WAIT] = {"wait", "a barrier, which brings no values", UNO_SCHEDULE_AGAIN, true, false},
    [UNO_OP_MAX] = {"max", "a value of each node; one that counts twice changes nothing", UNO_SCHEDULE_AGAIN,
                    false, false},
    [UNO_OP_SUM] = {"sum", "a value of each node, an integer, which counts once", UNO_SCHEDULE_ONCE, false,
                    false},
    [UNO_OP_GATHER] = {"gather", "the value of every PE; so do sums of reals", UNO_SCHEDULE_WHOLE, false,
                       true},
};

int uno_schedule_nodes(const struct uno_schedule_case *c) {
    return (c->pes + c->per_node - 1) / c->per_node;
}

bool uno_schedule_is_for(const struct uno_schedule_case *c, enum uno_schedule_way way) {
    return way != UNO_SCHEDULE_CENSUS || c->op->values == UNO_SCHEDULE_ONCE;
}

/* Return true if a message carries one value, however many ranks it is for. */
static bool combines(const struct uno_schedule_op *op, enum uno_schedule_way way) {
    return op->values == UNO_SCHEDULE_AGAIN || way == UNO_SCHEDULE_CENSUS;
}

/* The values that a message for so many ranks carries. */
static int64_t values(const struct uno_schedule_case *c, enum uno_schedule_way way, int ranks) {
    if (c->op->nothing)
        return 0;
    return combines(c->op, way) ? 1 : (int64_t)ranks * (c->op->of_pes ? c->per_node : 1);
}

int64_t uno_schedule_bytes(const struct uno_schedule_case *c, const struct uno_schedule *schedule, int k) {
    return c->header + c->type * values(c, schedule->way, uno_schedule_at(schedule, k).count);
}

static double rest_of(const struct uno_loggp *net, int64_t bytes) {
    return (double)(bytes - 1) * net->per_byte; /* us behind the first byte */
}

/* All messages are ready at once, so a leader first sends all. The last one arrives behind the others, or
 * waits here until all others have been received. */
static double direct_us(const struct uno_loggp *net, int messages, int64_t bytes) {
    double rest = rest_of(net, bytes), between = fmax(net->overhead, net->gap + rest);
    return fmax(2 * messages * net->overhead,
                net->overhead + (messages - 1) * between + rest + net->latency + net->overhead);
}

/* A leader, whose timeline is every other one's too: all begin together, and a schedule looks the same from
 * each. So what arrives here as message k was sent when this leader sent its own, and messages arrive in the
 * order in which they leave. */
struct leader {
    const struct uno_loggp *net;
    double now;   /* when its processor has done all that it has begun */
    double idle;  /* when its interface may begin the next message */
    int sent;     /* how many messages have been sent, */
    int got;      /* and received */
    int in_order; /* so many have been received from the first on, without one missing */
    bool is_sent[UNO_SCHEDULE_STEPS], has[UNO_SCHEDULE_STEPS];
    int order[UNO_SCHEDULE_STEPS]; /* of sending: which message, */
    double arrives[UNO_SCHEDULE_STEPS];
};

static void send(struct leader *l, int k, int64_t bytes) {
    double rest = rest_of(l->net, bytes);
    l->now += l->net->overhead;
    double begin = fmax(l->now, l->idle);
    l->idle = begin + l->net->gap + rest;
    l->order[l->sent] = k;
    l->arrives[l->sent++] = begin + rest + l->net->latency;
    l->is_sent[k] = true;
}

static void receive(struct leader *l) {
    l->now = fmax(l->now, l->arrives[l->got]) + l->net->overhead;
    l->has[l->order[l->got++]] = true;
    while (l->in_order < l->got && l->has[l->in_order])
        l->in_order++;
}

/* Return the first message that can be sent now; -1: there is none. */
static int ready(const struct leader *l, const struct uno_schedule *schedule) {
    for (int k = 0; k < schedule->messages; k++)
        if (!l->is_sent[k] && uno_schedule_at(schedule, k).after <= l->in_order)
            return k;
    return -1;
}

/* A leader sends what it can, and receives what has come when there is nothing to send. */
static double stepwise_us(const struct uno_schedule_case *c, const struct uno_schedule *schedule,
                          const struct uno_loggp *net) {
    struct leader l = {.net = net};
    while (l.got < schedule->messages) {
        int k = ready(&l, schedule);
        if (k >= 0)
            send(&l, k, uno_schedule_bytes(c, schedule, k));
        else
            receive(&l);
    }
    return l.now;
}

struct uno_schedule_cost uno_schedule_cost(const struct uno_schedule_case *c, enum uno_schedule_way way,
                                           const struct uno_loggp *net) {
    int nodes = uno_schedule_nodes(c);
    struct uno_schedule schedule = uno_schedule_of(way, nodes, 0);
    struct uno_schedule_cost cost = {.messages = (int64_t)nodes * schedule.messages, .steps = schedule.steps};
    if (nodes == 1)
        return cost;
    /* Values that travel by themselves arrive once each at all other nodes; else each message has one. */
    int64_t carried =
        combines(c->op, way) ? cost.messages : (int64_t)(c->op->of_pes ? c->pes : nodes) * (nodes - 1);
    cost.bytes = cost.messages * c->header + (c->op->nothing ? 0 : carried * c->type);
    cost.us = way == UNO_SCHEDULE_DIRECT
                  ? direct_us(net, schedule.messages, uno_schedule_bytes(c, &schedule, 0))
                  : stepwise_us(c, &schedule, net);
    return cost;
}

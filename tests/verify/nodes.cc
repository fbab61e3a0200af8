/* The operations, the messages and the interrupts of PEs on several nodes, as they ship, over a network that
 * delivers packets whenever the checker wants it: src/unit/nodes/, src/engine/far/, src/engine/channel/far/
 * and all that they stand on. Under Relacy's C11 memory model.
 *
 * Every sequence of LENGTH steps over operations (a barrier and a sum of all PEs; all data of a PE and the
 * next one), messages of each PE to the next (short, and received at once or after all steps; of two lines;
 * through a buffer), and interrupts raised by each. Then all leave. In every execution
 *
 * - no operation ends at a PE before every member has begun it, and each gives what its members put;
 * - every message arrives once, with its data, and those of two PEs in order;
 * - all PEs handle the same interrupts in the same order, each with the same cause: those who have raised one
 *   since they handled the last; and who has met one who has raised an interrupt has handled that;
 * - nobody waits for ever, and nothing is left over: no part of an operation, message, or packet;
 * - what lies in a packet is not changed before it has arrived, and nothing is sent to one that has left.
 *
 *     verify-nodes poll|sleep|spin LENGTH bound|deep|random LIMIT [FIRST LAST]
 *
 * Set when it is compiled: UNO_MODEL_PES, UNO_MODEL_NODES (PE k is on node k modulo that), UNO_MODEL_LINES
 * (of a ring: the credit of a sender), UNO_MODEL_LEAST (bytes of the longest packet that the network has at
 * once). The rest is as in messages.cc. */

#ifndef UNO_MODEL_PES
#define UNO_MODEL_PES 2
#endif
#ifndef UNO_MODEL_NODES
#define UNO_MODEL_NODES 2
#endif
#ifndef UNO_MODEL_LINES
#define UNO_MODEL_LINES 2
#endif
#ifndef UNO_MODEL_LEAST
#define UNO_MODEL_LEAST 64
#endif
#define CHECKER_CELLS 224
#define CHECKER_OWN 512
#define CHECKER_THREADS (UNO_MODEL_PES + 1)
#define CHECKER_RAW

#include "model.h"

#include "checker_c.h"

extern "C" {
#include "engine/channel/far/interrupt.h"
#include "engine/channel/far/lines.h"
#include "engine/far/far.h"
#include "engine/far/watcher.h"
#include "engine/fault.h"
#include "engine/group.h"
#include "engine/rendezvous.h"
#include "engine/spread.h"
#include "engine/wait.h"
#include "unit/nodes/meet.h"
#include "unit/nodes/state.h"

/* of nodes_cells.c */
void model_interrupt_cells(struct uno_pe *pe, unsigned number);
}

static bool ends_by_time(uint64_t ns);
#define MODEL_ENDS(ns) ends_by_time(ns)
#define MODEL_RAISES
#include "engine_model.h"

#include "channel_model.h"

enum {
    NODES = UNO_MODEL_NODES,
    LINES = UNO_MODEL_LINES,
    LONGEST = 6,
    DOUBLE = UNO_RING_FIRST + 8,
    PARTLY = PES > 2 ? PES : 0, /* groups of a part of the PEs: of each and the next one */
};

#include "interrupt_model.h"
#include "net_model.h"

/* The steps: operations, then the messages of each PE, one kind after the other, then the interrupts. */
enum kind { AT_ONCE, LATE, TWO_LINES, BUFFERED, KINDS };
enum { BARRIER, SUM, PART, MESSAGE = PART + PARTLY, RAISE = MESSAGE + KINDS * PES, STEPS = RAISE + PES };

static unsigned sequence[LONGEST];
static int length;

static bool is_meeting(int step) {
    return sequence[step] < MESSAGE;
}
static bool is_message(int step) {
    return sequence[step] >= MESSAGE && sequence[step] < RAISE;
}
static bool raises(int step, unsigned k) {
    return sequence[step] == RAISE + k;
}
static uint64_t mask_of(int step) {
    unsigned k = sequence[step] - PART;
    return sequence[step] < PART ? (1u << PES) - 1 : 1u << k | 1u << (k + 1) % PES;
}
static bool meets(int step, unsigned k) {
    return is_meeting(step) && mask_of(step) >> k & 1;
}
static unsigned writer_of(int step) {
    return (sequence[step] - MESSAGE) % PES;
}
static unsigned reader_of(int step) {
    return (writer_of(step) + 1) % PES;
}
static enum kind kind_of(int step) {
    return (enum kind)((sequence[step] - MESSAGE) / PES);
}
static model_message message_of(int step) {
    size_t bytes = kind_of(step) == BUFFERED ? LONG : kind_of(step) == TWO_LINES ? DOUBLE : SHORT;
    return {step, kind_of(step) == LATE, bytes};
}

static void add(uint64_t *left, const uint64_t *right) {
    *left += *right;
}

static uno_function function_of(int step) {
    uno_function function = {};
    function.learns = sequence[step] == BARRIER ? UNO_LEARNS_NOTHING
                      : sequence[step] == SUM   ? UNO_LEARNS_FOLD
                                                : UNO_LEARNS_ALL;
    function.combine = add;
    return function;
}

/* The memory of each node: its boxes, notes and rings, and its record of nodes. */
static char mail[NODES][2 * PES * sizeof(uno_box) + PES * UNO_NOTES * sizeof(uno_note) +
                        PES * PES * (sizeof(uno_ring) + LINES * sizeof(uno_line))]
    __attribute__((aligned(64)));
static char places[NODES][sizeof(uno_job_nodes) + PES * sizeof(uno_node_place)] __attribute__((aligned(64)));

static uno_mail layout(int node) {
    return {.base = mail[node], .n = PES, .lines = LINES};
}

static int members(int node) {
    int count = 0;
    for (int k = 0; k < PES; k++)
        count += node_of(k) == node;
    return count;
}

struct model : rl::test_suite<model, PES + 1> {
    checker_cells cells;
    network net;
    engine_model node[NODES];
    unsigned noted[PES]; /* the cell of each PE's note that it has raised an interrupt */
    /* These are the model's own records, outside the checked memory. */
    bool begun[LONGEST][PES]; /* an operation */
    bool left[NODES];         /* a node knows of a PE of another one that has left */
    interrupts_model interrupts;

    static model *present;

    uno_pe *pe_of(unsigned k) {
        return &node[node_of(k)].pe[k];
    }

    void begin_mail(int at) {
        uno_mail of = layout(at);
        for (int k = 0; k < PES; k++) {
            uno_box *box = uno_mail_box(&of, k);
            cells.owns = false;
            for (uno_atomic64 *a : {&box->bell, &box->writer[0]})
                a->number = cells.fresh64(0);
            cells.owns = members(at) == 1;
            for (uno_atomic64 *a : {&box->doing, &box->away})
                a->number = cells.fresh64(0);
            for (int i = 0; i < PES; i++) {
                uno_ring *ring = uno_mail_ring(&of, i, k);
                if (i == k || (node_of(i) != at && node_of(k) != at))
                    continue;
                ring->taken.number = cells.fresh64(0);
                for (int l = 0; l < LINES; l++)
                    ring->line[l].header.number = cells.fresh64(0);
            }
        }
        cells.owns = false;
    }

    void begin_places(int at) {
        uno_job *job = node[at].pe[0].job;
        uno_job_nodes *nodes = (uno_job_nodes *)places[at];
        job->nodes_at = (uint64_t)((char *)nodes - (char *)job);
        nodes->count = NODES;
        nodes->here = at;
        nodes->pes = members(at);
        nodes->mask[0] = 0;
        for (int k = 0; k < PES; k++) {
            uno_node_place *place = &nodes->place[k];
            uint64_t address = (uint64_t)k;
            place->node = node_of(k);
            nodes->mask[0] |= (uint64_t)(node_of(k) == at) << k;
            place->address_bytes.number = cells.fresh32(sizeof address);
            memcpy(place->address, &address, sizeof address);
            cells.owns = members(at) == 1;
            place->packets.number = cells.fresh64(0);
            cells.owns = false;
        }
    }

    void begin_node(int at) {
        cells.owns = members(at) == 1;
        node[at].begin();
        cells.owns = false;
        uno_job *job = node[at].pe[0].job;
        job->mail_at = UNO_MAIL_OWN; /* one process: each place is an address */
        for (uno_atomic64 *a : {&job->interrupts, &job->cause[0]})
            a->number = cells.fresh64(0);
        begin_places(at);
        begin_mail(at);
        for (int k = 0; k < PES; k++) {
            uno_pe *pe = &node[at].pe[k];
            pe->here = members(at);
            pe->board->messages.number = cells.fresh32(0);
            pe->board->acknowledged.number = cells.fresh64(0);
            pe->handle = handle;
        }
    }

    void before() {
        checker = &cells;
        net_of_model = &net;
        present = this;
        cells.begin();
        net.begin();
        for (int at = 0; at < NODES; at++)
            begin_node(at);
        for (unsigned &cell : noted)
            cell = cells.fresh32(0);
        cells.owns = true;
        for (uno_net &end : net.end)
            for (uno_atomic64 &header : end.header)
                header.number = cells.fresh64(0);
        cells.owns = false;
        memset(begun, 0, sizeof begun);
        memset(left, 0, sizeof left);
        interrupts = {};
    }

    /* ---- interrupts ---- */

    static void handle(uno_pe *pe, const uint64_t *who) {
        present->interrupts.handle((unsigned)pe->me, *who);
    }

    /* Check after a meeting that all interrupts raised by its members before have been handled. */
    void expect(unsigned me, int step) {
        RL_ASSERT(!interrupts.raised[me] && !pe_of(me)->stopped);
        for (int r = 0; r < step; r++)
            for (unsigned k = 0; k < PES; k++)
                if (raises(r, k) && meets(step, k))
                    RL_ASSERT(interrupts.has_handled(me, r));
    }

    /* ---- operations and messages ---- */

    void meet(uno_pe *pe, int step) {
        unsigned me = (unsigned)pe->me;
        const uint64_t mask = mask_of(step);
        uno_function function = function_of(step);
        uint64_t in = datum(step, me), sum = 0;
        uno_group_set(pe, &mask, "the model");
        pe->function = &function;
        begun[step][me] = true;
        const void *const *data = uno_nodes_meet(pe, UNO_SIGNATURE(1, sequence[step]), &in, 1);
        for (unsigned k = 0, i = 0; k < PES; k++)
            if (meets(step, k)) {
                uint64_t got = *(const uint64_t *)data[i++];
                RL_ASSERT(begun[step][k]);
                RL_ASSERT(function.learns != UNO_LEARNS_ALL || got == datum(step, k));
                sum += got - datum(step, k);
            }
        RL_ASSERT(function.learns != UNO_LEARNS_FOLD || !sum);
        uno_board_leave(pe);
    }

    /* ---- one PE ---- */

    void join(uno_pe *pe) {
        uno_far_start(pe, &kind_of_model, &net.end[pe->me]);
        uno_nodes_open(pe);
        model_interrupt_cells(pe, noted[pe->me]);
        open_channel(pe);
        uno_group_all(pe);
    }

    void step_of(uno_pe *pe, int step) {
        unsigned me = (unsigned)pe->me;
        if (meets(step, me)) {
            meet(pe, step);
            expect(me, step);
        } else if (is_message(step) && writer_of(step) == me) {
            send_message(pe->channel, (int)reader_of(step), message_of(step));
        } else if (is_message(step) && reader_of(step) == me && kind_of(step) != LATE) {
            receive_message(pe->channel, (int)writer_of(step), message_of(step));
        } else if (raises(step, me)) {
            interrupts.raise(me, step);
            uno_far_interrupt_raise(pe);
        }
    }

    void part(uno_pe *pe) {
        RL_ASSERT(!pe->channel->messages.count);
        uno_channel_end(pe);
        RL_ASSERT(!net.needs_lines((unsigned)pe->me) && "the memory of lines has ended on their way");
        for (int k = 0; k < PES; k++)
            RL_ASSERT(!pe->nodes->parts.from[k].first && "a part of an operation is left over");
        uno_nodes_close(pe);
        uno_board_part(pe);
        for (int at = 0; at < NODES; at++)
            net.leaves[pe->me][at] = at != node_of(pe->me);
        net.ended++;
        net.poke();
    }

    void thread(unsigned me) {
        if (me == NETWORK) {
            net.run();
            return;
        }
        uno_pe *pe = pe_of(me);
        join(pe);
        for (int step = 0; step < length; step++)
            step_of(pe, step);
        for (int step = 0; step < length; step++)
            if (is_message(step) && kind_of(step) == LATE && reader_of(step) == me)
                receive_message(pe->channel, (int)writer_of(step), message_of(step));
        part(pe);
    }
};

model *model::present;

/* The agent of a node notes that a PE of another one has left. */
void network::leave(unsigned k, unsigned at) {
    uno_job *job = model::present->node[at].pe[0].job;
    uno_mail of = layout((int)at);
    uno_store32_release(&job->board[k].state, UNO_LEFT);
    model::present->left[at] = true;
    for (int i = 0; i < PES; i++) {
        uint64_t rung = UINT64_MAX;
        if (node_of(i) == (int)at)
            uno_bell_ring(&uno_mail_box(&of, i)->bell, &rung);
    }
}

/* A sleep that no PE and no packet ends, but time: a nap; that of a PE that waits until a neighbour has read
 * one of its posts; and that of a PE which is stopped by an interrupt, when it may have to see that another
 * one has left. */
static bool ends_by_time(uint64_t ns) {
    model *m = model::present;
    uno_pe *pe = m->pe_of(rl::thread_index());
    bool reclaims = ns <= UNO_BLIND_MOST_NS && !uno_is_far(pe, pe->board->awaited);
    return ns <= UNO_NAP_NS || reclaims || (pe->stopped && m->left[node_of(pe->me)]);
}

/* ---- what these files call --------------------------------------------------------------------------- */

void uno_signature_function(struct uno_function *, unsigned, unsigned, int) {}

uno_mail uno_mail_map(uno_pe *pe) {
    return layout(node_of(pe->me));
}

int main(int argc, char **argv) {
    std::vector<unsigned> choices;
    for (unsigned i = 0; i < STEPS; i++)
        choices.push_back(i);
    return explore_main<model>(argc, argv, choices, sequence, LONGEST, &length,
                               std::to_string(PES) + " PEs on " + std::to_string(NODES) + " nodes");
}

/* Messages as programs send and receive them, and meetings between them, as they ship: the loops of the
 * channel that look, announce that they are about to sleep, look again and sleep; and a PE that sleeps until
 * a post or a message comes, whichever is first. Under Relacy's C11 memory model.
 *
 * Every sequence of LENGTH steps over meetings of both PEs, and messages each way: short, or through a
 * buffer; received at their step, or not before all steps are done. So who waits in a meeting, or for another
 * message, must take in what comes meanwhile, or its writer waits for ever. In every execution every message
 * must arrive once, with its data and in order, and every meeting have those of both; no two accesses of
 * plain memory may race; nobody may wait for ever.
 *
 *     verify-messages poll|sleep|spin LENGTH bound|deep|random LIMIT [FIRST LAST]
 *
 * The engine's and the channel's files are compiled as C and linked with this one; what stands below them is
 * here and in channel_model.h: the memory, the heap, of one buffer, and notes for nobody. A ring has one
 * line, and the pool is so small that a PE queues one short message, or uses one buffer, and then waits.
 *
 * The rest is as in rendezvous.cc. */

#define UNO_MODEL_PES 2
#define CHECKER_CELLS 64

#include "model.h"

#include "checker_c.h"

extern "C" {
#include "engine/far/far.h"
#include "engine/fault.h"
#include "engine/group.h"
#include "engine/interrupt.h"
#include "engine/rendezvous.h"
#include "engine/spread.h"
#include "engine/wait.h"
}

#include "engine_model.h"

#include "channel_model.h"

enum { LONGEST = 8, LINES = 1 };

/* The steps: a meeting; or 1 plus the writer, plus PES times the kind of its message. */
enum { MEETING };
enum kind { AT_ONCE, LATE, BUFFERED, KINDS };

static unsigned sequence[LONGEST];
static int length;

static unsigned writer_of(int step) {
    return (sequence[step] - 1) % PES;
}

static enum kind kind_of(int step) {
    return (enum kind)((sequence[step] - 1) / PES);
}

static model_message message_of(int step) {
    return {step, kind_of(step) != AT_ONCE, kind_of(step) == BUFFERED ? LONG : SHORT};
}

/* The memory that both PEs have mapped. Notes are between the boxes and the rings. */
static char shared[2 * PES * sizeof(uno_box) + PES * UNO_NOTES * sizeof(uno_note) +
                   PES * PES * (sizeof(uno_ring) + LINES * sizeof(uno_line))] __attribute__((aligned(64)));

static uno_mail layout() {
    return {.base = shared, .n = PES, .lines = LINES};
}

struct model : rl::test_suite<model, PES> {
    checker_cells cells;
    engine_model engine;

    void before() {
        uno_mail mail = layout();
        checker = &cells;
        cells.begin();
        engine.begin();
        engine.pe[0].job->mail_at = UNO_MAIL_OWN; /* one process: each place is an address */
        for (int k = 0; k < PES; k++) {
            uno_box *box = uno_mail_box(&mail, k);
            for (uno_atomic64 *a : {&box->bell, &box->writer[0], &box->doing, &box->away})
                a->number = cells.fresh64(0);
            engine.pe[k].board->messages.number = cells.fresh32(0);
            for (int i = 0; i < PES; i++) {
                uno_ring *ring = uno_mail_ring(&mail, i, k);
                if (i == k)
                    continue;
                ring->taken.number = cells.fresh64(0);
                for (int l = 0; l < LINES; l++) {
                    ring->line[l].header.number = cells.fresh64(0);
                    for (uno_plain64 &word : ring->line[l].word)
                        word.number = cells.fresh_plain();
                }
            }
        }
    }

    void meet(uno_pe *pe, int step) {
        uint64_t in = datum(step, pe->me);
        const void *const *data = uno_board_meet(pe, 1, &in, 1);
        for (int k = 0; k < PES; k++) {
            uint64_t got = k == pe->me ? in : uno_read64_plain((const uno_plain64 *)data[k]);
            RL_ASSERT(got == datum(step, k));
        }
        uno_board_leave(pe);
    }

    void thread(unsigned me) {
        uno_pe *pe = &engine.pe[me];
        uno_channel *channel = open_channel(pe);
        uno_group_all(pe);
        for (int step = 0; step < length; step++)
            if (sequence[step] == MEETING)
                meet(pe, step);
            else if (writer_of(step) == me)
                send_message(channel, !me, message_of(step));
            else if (kind_of(step) == AT_ONCE)
                receive_message(channel, !me, message_of(step));
        for (int step = 0; step < length; step++)
            if (sequence[step] != MEETING && writer_of(step) != me && kind_of(step) != AT_ONCE)
                receive_message(channel, !me, message_of(step));
        uno_channel_end(pe);
        uno_board_part(pe);
    }
};

/* ---- what these files call --------------------------------------------------------------------------- */

uno_mail uno_mail_map(uno_pe *) {
    return layout();
}

/* No PE is on another node. */
bool uno_far_expose(uno_pe *, void *, size_t, uno_net_key *, void **) {
    return false;
}

bool uno_far_write(uno_pe *, int, const uno_net_key *, size_t, const void *, size_t, uno_far_sending *) {
    return false;
}

int main(int argc, char **argv) {
    std::vector<unsigned> choices;
    for (unsigned i = 0; i < 1 + KINDS * PES; i++)
        choices.push_back(i);
    return explore_main<model>(argc, argv, choices, sequence, LONGEST, &length, "2 PEs, rings of 1 line");
}

/* The parallel interrupt of PEs that share memory (src/engine/interrupt.c), with the rendezvous and the
 * waiting in which PEs notice it, as they ship, under Relacy's C11 memory model.
 *
 * Every sequence of LENGTH steps over meetings of all groups of at least two PEs, and interrupts raised by
 * each of them. In every execution
 *
 * - every PE handles the same interrupts in the same order, each with the same cause;
 * - the cause names exactly those who have raised one since they handled the last: none is lost, none comes
 *   twice;
 * - when a handler runs, what each PE did before it acknowledged can be read, and no PE is in anything else;
 * - who has raised one has handled it at the end of its next meeting, and who has met that PE since at the
 * end of the meeting after that;
 * - who slept in an operation when one is raised, and has not acknowledged it, has been woken by its raiser;
 *
 * no two accesses of plain memory race, every meeting gives what its members put, and nobody waits for ever.
 *
 *     verify-interrupt poll|sleep|spin LENGTH bound|deep|random LIMIT [FIRST LAST]
 *
 * The rest is as in rendezvous.cc. Set when it is compiled: UNO_MODEL_PES. */

#ifndef UNO_MODEL_PES
#define UNO_MODEL_PES 2
#endif
#define CHECKER_CELLS 64
#define UNO_SLOTS 2

#include "model.h"

#include "engine/group.c"
#include "engine/interrupt.c"
#include "engine/mask.c"
#include "engine/rendezvous.c"
#include "engine/shifts.c"
#include "engine/wait.c"

#define MODEL_RAISES
#include "engine_model.h"

enum { LONGEST = 8, GROUPS = 1 << PES };

#include "interrupt_model.h"

/* The steps: the mask of a meeting; or GROUPS plus the PE that raises an interrupt. */
static unsigned sequence[LONGEST];
static int length;

static bool is_meeting(int step) {
    return sequence[step] < GROUPS;
}

static bool meets(int step, unsigned k) {
    return is_meeting(step) && sequence[step] >> k & 1;
}

static bool raises(int step, unsigned k) {
    return sequence[step] == GROUPS + k;
}

static uint64_t datum(int step, unsigned k) {
    return (uint64_t)(step + 1) * 100 + k;
}

struct model : rl::test_suite<model, PES> {
    checker_cells cells;
    engine_model engine;
    uno_plain64 work[PES][LONGEST]; /* of each PE between one interrupt and the next: its own word */
    /* These are the model's own records, outside the checked memory. */
    bool worked[PES][LONGEST];
    interrupts_model interrupts;

    void before() {
        checker = &cells;
        cells.begin();
        engine.begin();
        uno_job *job = engine.pe[0].job;
        for (uno_atomic64 *a : {&job->interrupts, &job->raised[0], &job->cause[0]})
            a->number = cells.fresh64(0);
        for (unsigned k = 0; k < PES; k++) {
            engine.pe[k].board->acknowledged.number = cells.fresh64(0);
            engine.pe[k].handle = handle;
            for (uno_plain64 &word : work[k])
                word.number = cells.fresh_plain();
        }
        memset(worked, 0, sizeof worked);
        interrupts = {};
        present = this;
    }

    static model *present;

    static void handle(uno_pe *pe, const uint64_t *who) {
        present->handles((unsigned)pe->me, *who);
    }

    void handles(unsigned me, uint64_t who) {
        unsigned i = interrupts.handle(me, who);
        for (unsigned k = 0; k < PES; k++)
            if (worked[k][i])
                RL_ASSERT(uno_read64_plain(&work[k][i]) == datum((int)i, k));
    }

    void meet(unsigned me, int step) {
        uno_pe *pe = &engine.pe[me];
        const uint64_t words[WORDS] = {sequence[step]};
        unsigned i = interrupts.handled[me];
        if (!worked[me][i]) {
            uno_write64_plain(&work[me][i], datum((int)i, me));
            worked[me][i] = true;
        }
        uno_group_set(pe, words, "the model");
        uint64_t in = datum(step, me);
        const void *const *data = uno_board_meet(pe, 1, &in, 1);
        for (unsigned k = 0; k < PES; k++) {
            if (!meets(step, k))
                continue;
            const void *p = *data++;
            uint64_t got = k == me ? *(const uint64_t *)p : uno_read64_plain((const uno_plain64 *)p);
            RL_ASSERT(got == datum(step, k));
        }
        uno_board_leave(pe);
    }

    /* Return the number of the sleep in which a PE is, if it has not acknowledged before; 0: it does not
     * sleep. */
    unsigned sleep_of(unsigned k) {
        return cells.slept_on[k][0] && !engine.pe[k].stopped ? cells.slept[k] : 0;
    }

    void raise(unsigned me) {
        unsigned before[PES];
        for (unsigned k = 0; k < PES; k++)
            before[k] = sleep_of(k);
        uno_interrupt_raise(&engine.pe[me]);
        for (unsigned k = 0; k < PES; k++)
            RL_ASSERT(!before[k] || sleep_of(k) != before[k]);
    }

    /* Check the state after a meeting. */
    void expect(unsigned me, int step) {
        RL_ASSERT(!interrupts.raised[me] && !engine.pe[me].stopped);
        for (unsigned k = 0; k < PES; k++) {
            int met = step; /* the last meeting with PE k before this one */
            while (met-- > 0 && !(meets(met, me) && meets(met, k)))
                ;
            for (int r = 0; r < met; r++)
                if (raises(r, k))
                    RL_ASSERT(interrupts.has_handled(me, r));
        }
    }

    void thread(unsigned me) {
        for (int step = 0; step < length; step++)
            if (meets(step, me)) {
                meet(me, step);
                expect(me, step);
            } else if (raises(step, me)) {
                interrupts.raise(me, step);
                raise(me);
            }
        uno_board_part(&engine.pe[me]);
    }
};

model *model::present;

int main(int argc, char **argv) {
    std::vector<unsigned> choices;
    for (unsigned mask = 1; mask < GROUPS; mask++)
        if (__builtin_popcount(mask) > 1)
            choices.push_back(mask);
    for (unsigned k = 0; k < PES; k++)
        choices.push_back(GROUPS + k);
    return explore_main<model>(argc, argv, choices, sequence, LONGEST, &length, std::to_string(PES) + " PEs");
}
